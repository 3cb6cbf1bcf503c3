package echoladder.harness.limits;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.Row;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.Scope;
import echoladder.harness.tune.SettingsProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A limit is a row: doctor, pages, profiles and the lists of what is read are held to it. */
class KnownLimitTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());
  private static final List<String> PROFILES = SettingsProfile.names(CHECKOUT);

  /** Each has a row of its own, in every role, with its unit and its page; and the doctor has no others. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void theDoctorExaminesEveryLimitOnceAndNothingElse(Role role) {
    Question question = new Question(1_000, role, ServerModel.unnamed(), 9_000, null);
    Examination found = Doctor.examine(question, new Facts().facts());
    Set<String> ofOtherRole = Set.of(role == Role.CLIENT ? "nofile hard, server" : role == Role.SERVER ? "nofile hard, client" : "");
    assertThat(found.rows()).extracting(Row::limit).doesNotHaveDuplicates();
    assertThat(found.rows().stream().map(Row::limit).collect(Collectors.toSet()))
        .isEqualTo(
            Arrays.stream(KnownLimit.values())
                .filter(KnownLimit::ofTheDoctor)
                .map(KnownLimit::id)
                .filter(id -> !ofOtherRole.contains(id))
                .collect(Collectors.toSet()));
    for (Row row : found.rows()) {
      KnownLimit limit = KnownLimit.ofId(row.limit());
      assertThat(row.page()).as(row.limit()).isEqualTo(limit.page());
      assertThat(row.unit()).as(row.limit()).isEqualTo(limit.unit());
    }
  }

  @ParameterizedTest
  @EnumSource(KnownLimit.class)
  void hasItsPageWhichNamesItsSettings(KnownLimit limit) throws Exception {
    Path page = CHECKOUT.root().resolve("runbooks/symptoms/" + limit.page() + ".md");
    assertThat(page).isRegularFile();
    String text = Files.readString(page);
    for (String key : limit.settings()) {
      assertThat(text).as(page.getFileName() + " names " + key).contains(key.substring(key.lastIndexOf('.') + 1));
    }
  }

  /** What the doctor calculates with is what is read of a host. */
  @ParameterizedTest
  @EnumSource(KnownLimit.class)
  void itsSettingsAreReadWhereThisKernelHasThem(KnownLimit limit) {
    for (String key : limit.settings()) {
      boolean here = Files.isReadable(Path.of("/proc/sys", key.replace('.', '/')));
      assertThat(HostFactsReader.read().sysctl().containsKey(key)).as(key).isEqualTo(here);
    }
  }

  @Test
  void noSettingIsTwoLimitsAndNoCounterIsASetting() {
    List<String> all = Arrays.stream(KnownLimit.values()).flatMap(limit -> limit.settings().stream()).toList();
    assertThat(all).doesNotHaveDuplicates();
    assertThat(KnownLimit.allCounters()).isNotEmpty().doesNotContainAnyElementsOf(all);
    assertThat(KnownLimit.allFigures()).hasSize(21);
  }

  /** A profile lifts limits and nothing else, and says of each how far it reaches, as the row and tune have it. */
  @Test
  void everyKnobOfAProfileIsTheSettingOfALimitAndSaysItsReach() {
    for (String name : PROFILES) {
      for (Knob knob : SettingsProfile.find(CHECKOUT, name).knobs()) {
        KnownLimit limit = KnownLimit.ofSetting(knob.key()).orElseThrow(() -> new AssertionError(name + ": " + knob.key()));
        String said = knob.comments().stream().filter(line -> line.startsWith("default:")).findFirst().orElse("");
        boolean network = limit.reach() == KnownLimit.Reach.NETWORK;
        assertThat(said.contains("per network namespace")).as(name + ": " + knob.key() + ": " + said).isEqualTo(network);
        assertThat(said.contains("one for the host") || said.contains("set by the host"))
            .as(name + ": " + knob.key() + ": " + said)
            .isEqualTo(!network);
        assertThat(Scope.of(knob.key())).isEqualTo(network ? Scope.NETWORK : Scope.HOST);
      }
    }
  }

  /** The profiles lift every limit of the kernel but those whose default is enough, or that no number lifts. */
  @Test
  void theProfilesLeaveOutOnlyWhatNeedsNoLifting() {
    Set<String> left = new HashSet<>(KnownLimit.allSettings());
    SettingsProfile.find(CHECKOUT, "1m").knobs().forEach(knob -> left.remove(knob.key()));
    assertThat(left)
        .containsExactlyInAnyOrder(
            // 1,048,576 by default: see sysctl/README.md.
            "fs.nr_open",
            // Switches and lists.
            "net.ipv4.tcp_syncookies", "net.ipv4.ip_local_reserved_ports", "vm.overcommit_memory",
            // Idle connections take nothing of them.
            "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");
  }
}
