package echoladder.harness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import echoladder.linux.Downcall;
import org.junit.jupiter.api.Test;

/** The packages of the harness and of its client stand above one another: whoever reads one need not read those that use it. */
class PackagesTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter().importUrl(Ladder.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void noPackageNeedsOneThatNeedsIt() {
    slices().matching("echoladder.harness.(*)..").should().beFreeOfCycles().check(MAIN);
  }

  /** The rooms of the reports stand above one another too, and what puts a run's files together stands above all of them. */
  @Test
  void noRoomOfTheReportsNeedsOneThatNeedsIt() {
    slices().matching("echoladder.harness.report.(*)..").should().beFreeOfCycles().check(MAIN);
    noClasses()
        .that()
        .resideInAPackage("echoladder.harness.report.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("echoladder.harness.report")
        .check(MAIN);
  }

  @Test
  void theRoomsOfLinuxStandAboveOneAnotherAndOnTheirParent() {
    JavaClasses linux = new ClassFileImporter().importUrl(Downcall.class.getProtectionDomain().getCodeSource().getLocation());
    slices().matching("echoladder.linux.(*)..").should().beFreeOfCycles().check(linux);
    noClasses()
        .that()
        .resideInAPackage("echoladder.linux")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("echoladder.linux.*..")
        .check(linux);
  }

  @Test
  void roomsOfTheCommandLineStandAboveOneAnotherAndBelowTheOtherVerbs() {
    slices().matching("echoladder.harness.cli.(*)..").should().beFreeOfCycles().check(MAIN);
    noClasses()
        .that()
        .resideInAPackage("echoladder.harness.cli.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("echoladder.harness.cli")
        .check(MAIN);
  }

  @Test
  void commandLineAndClaimsStandAboveAllElse() {
    noClasses()
        .that()
        .resideOutsideOfPackages("echoladder.harness", "echoladder.harness.cli..", "echoladder.harness.claims")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("echoladder.harness", "echoladder.harness.cli..", "echoladder.harness.claims")
        .check(MAIN);
    noClasses()
        .that()
        .resideInAPackage("echoladder.harness.claims")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("echoladder.harness", "echoladder.harness.cli..")
        .check(MAIN);
  }

  /** Intended times are arithmetic that needs nothing else of a load. */
  @Test
  void schedulesNeedNothingElse() {
    JavaClasses api = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("echoladder.client");
    noClasses()
        .that()
        .resideInAPackage("echoladder.client.schedule")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("echoladder.client")
        .check(api);
  }

  @Test
  void thePackagesOfTheClientStandAboveOneAnother() {
    JavaClasses client = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("echoladder.openloop");
    slices().matching("echoladder.openloop.(*)..").should().beFreeOfCycles().check(client);
    noClasses()
        .that()
        .resideInAPackage("echoladder.openloop.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("echoladder.openloop")
        .check(client);
  }
}
