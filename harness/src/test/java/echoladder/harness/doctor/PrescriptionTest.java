package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.knobs.Knobs;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The files that doctor --write writes. */
final class PrescriptionTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());
  private static final ServerModel THREADS = new ServerModel("platform-threads", null, null, 1, true);

  private static final Knobs KNOBS = Knobs.of(CHECKOUT, ServerManifest.all(CHECKOUT));

  @TempDir private Path dir;

  /**
   * A host and what is asked of it.
   *
   * @param facts its limits
   */
  record Case(Facts facts, Question question) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case(new Facts(), new Question(600, Role.BOTH, ServerModel.unnamed(), 0, null)),
        new Case(new Facts(), new Question(200_000, Role.BOTH, ServerModel.unnamed(), 0, null)),
        new Case(new Facts(), new Question(1_000_000, Role.BOTH, THREADS, 9_000, 4L)),
        new Case(new Facts(), new Question(100_000, Role.SERVER, THREADS, 9_000, null)),
        new Case(new Facts().nofile(Limit.ANY), new Question(100_000, Role.CLIENT, ServerModel.unnamed(), 0, 1L)),
        new Case(
            new Facts().sysctl("net.netfilter.nf_conntrack_max", "65536").sysctl("net.netfilter.nf_conntrack_buckets", "16384"),
            new Question(100_000, Role.BOTH, ServerModel.unnamed(), 0, null)),
        new Case(
            new Facts().sysctl("fs.file-max", "9223372036854775807").sysctl("net.ipv4.ip_local_port_range", "1024 50000"),
            new Question(1_000_000, Role.BOTH, ServerModel.unnamed(), 0, 1L)));
  }

  private static Examination examine(Case of) {
    return Doctor.examine(of.question, of.facts.facts());
  }

  private static Map<String, String> files(Examination found) {
    return new Prescription(found, KNOBS).files();
  }

  private Map<String, Knob> written(Case of) {
    PrescribedFiles.write(dir, files(examine(of)), false);
    Map<String, Knob> knobs = new LinkedHashMap<>();
    SettingsProfile.find(CHECKOUT, dir.resolve(Prescription.SYSCTL).toString()).knobs().forEach(knob -> knobs.put(knob.key(), knob));
    return knobs;
  }

  /** It is read by what reads profiles; no line is lower than what the doctor asks, nor than what is in force. */
  @ParameterizedTest
  @MethodSource("cases")
  void everyLineIsWhatTheDoctorAsksAndNoLessThanWhatIsThere(Case of) {
    Map<String, Knob> knobs = written(of);
    Map<String, String> present = of.facts.facts().sysctl();
    knobs.forEach(
        (key, knob) -> {
          String is = Objects.requireNonNull(present.get(key));
          assertThat(knob.value()).as(key).isEqualTo(Values.covering(key, is, knob.value()));
          assertThat(knob.comments())
              .as(key)
              .satisfiesExactly(
                  line -> assertThat(line).startsWith("lifts:   "),
                  line -> assertThat(line).startsWith("default: "),
                  line -> assertThat(line).startsWith("value:   "),
                  line -> assertThat(line).startsWith("counter: "));
        });
    for (Row row : examine(of).rows()) {
      row.setting()
          .ifPresent(
              asked -> {
                String value = Objects.requireNonNull(knobs.get(asked.key()), asked.key()).value();
                assertThat(value).as(asked.key()).isEqualTo(Values.covering(asked.key(), asked.value(), value));
              });
    }
  }

  /** On a host that has it all the doctor has nothing left to lift by a setting, and writes the same. */
  @ParameterizedTest
  @MethodSource("cases")
  void onAHostThatHasThemNothingIsAskedForAndTheSameIsWritten(Case of) throws IOException {
    Map<String, Knob> knobs = written(of);
    Map<String, String> before = texts();
    Facts lifted = of.facts;
    knobs.forEach((key, knob) -> lifted.sysctl(key, knob.value()));
    Examination after = Doctor.examine(of.question, lifted.facts());
    // Addresses are no setting: of a range as wide as it can be there may still be too few.
    assertThat(after.rows())
        .filteredOn(row -> !row.limit().equals(KnownLimit.PORTS.id()))
        .allSatisfy(row -> assertThat(row.setting()).as(row.limit()).isEmpty());
    List<String> said = PrescribedFiles.write(dir, files(after), false);
    assertThat(said).hasSameSizeAs(before.keySet()).allMatch(sentence -> sentence.endsWith("there already with these settings; left as it is"));
    assertThat(texts()).isEqualTo(before);
  }

  private Map<String, String> texts() throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        texts.put(dir.relativize(file).toString(), Files.readString(file));
      }
    }
    return texts;
  }

  /** Copying a file may lower nobody's limit; '*' and a unit mean others than the one who asked. */
  @ParameterizedTest
  @MethodSource("cases")
  void noFileLowersALimit(Case of) {
    Map<String, String> files = files(Doctor.examine(of.question, of.facts.user().facts()));
    boolean threads = of.question.threads() > 0;
    assertThat(files).hasSize(threads ? 5 : 3);
    files.forEach(
        (name, text) -> {
          List<String> lines = text.lines().filter(line -> line.matches("(\\*|root|Limit|Tasks).*")).toList();
          if (name.endsWith("-threads.conf")) {
            assertThat(lines).as(name).isNotEmpty().allMatch(line -> line.matches("(\\* +(soft|hard) nproc unlimited|(LimitNPROC|TasksMax)=infinity)"));
          } else if (!name.equals(Prescription.SYSCTL)) {
            assertThat(lines).as(name).isNotEmpty().allMatch(line -> line.matches("((\\*|root) +(soft|hard) nofile |LimitNOFILE=)\\w+"));
            assertThat(lines)
                .as(name)
                .map(line -> line.replaceAll(".*[ =]", ""))
                .allMatch(value -> value.matches("unlimited|infinity") || Long.parseLong(value) >= DescriptorLimits.DROP_IN_NOFILE);
          }
        });
  }

  @Test
  void limitsOfProcessesAreNoLowerEither() {
    Map<String, String> few = files(examine(new Case(new Facts().nofile(4_096), new Question(10_000, Role.BOTH, THREADS, 0, null))));
    assertThat(few.get(Prescription.LIMITS))
        .contains("prlimit --nofile=10100:10100 true", "*    soft nofile 10100\n*    hard nofile 10100\nroot soft nofile 10100\nroot hard nofile 10100\n")
        .doesNotContain("nproc")
        .contains("# value:   server N + 100 of the server's own = 10,100");
    assertThat(few.get(Prescription.SERVICE)).contains("[Service]\n", "LimitNOFILE=10100\n").doesNotContain("NPROC", "Tasks");
    Map<String, String> many = files(examine(new Case(new Facts().nofile(Limit.ANY), new Question(10_000, Role.BOTH, ServerModel.unnamed(), 0, null))));
    assertThat(many.get(Prescription.LIMITS)).contains("*    hard nofile unlimited\n");
    assertThat(many.get(Prescription.SERVICE)).contains("LimitNOFILE=infinity\n");
  }

  @Test
  void bucketsGoWithTheEntriesOfConntrack() {
    Case conntrack =
        new Case(
            new Facts().sysctl("net.netfilter.nf_conntrack_max", "65536").sysctl("net.netfilter.nf_conntrack_buckets", "16384"),
            new Question(100_000, Role.BOTH, ServerModel.unnamed(), 0, null));
    Map<String, Knob> knobs = written(conntrack);
    // 1.1 x 100,000 = 110,000, rounded up to 27 x 4,096; the same is a multiple of 512.
    assertThat(Objects.requireNonNull(knobs.get("net.netfilter.nf_conntrack_max")).value()).isEqualTo("110592");
    assertThat(Objects.requireNonNull(knobs.get("net.netfilter.nf_conntrack_buckets")).value()).isEqualTo("110592");
  }

  @Test
  void whatSetsSomethingElseIsNotReplacedWithoutBeingToldTo() throws IOException {
    Map<String, String> files = files(examine(new Case(new Facts(), new Question(600, Role.BOTH, ServerModel.unnamed(), 0, null))));
    Path mine = Files.createDirectories(dir.resolve("sysctl.d")).resolve("90-echo-ladder.conf");
    Files.writeString(mine, "vm.swappiness = 1\n");
    assertThatThrownBy(() -> PrescribedFiles.write(dir, files, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("nothing was written: " + mine + " is there already and sets something else");
    assertThat(mine).hasContent("vm.swappiness = 1\n");
    assertThat(dir.resolve(Prescription.LIMITS)).doesNotExist();
    assertThat(PrescribedFiles.write(dir, files, true)).anyMatch(sentence -> sentence.equals(mine + ": replaced, as it set something else"));
    assertThat(mine).hasContent(Objects.requireNonNull(files.get(Prescription.SYSCTL)));
  }

  /** A key with a hyphen is asked for like any other. */
  @Test
  void threadsOfTheHostArePrescribed() {
    Map<String, Knob> knobs = written(new Case(new Facts(), new Question(400_000, Role.SERVER, THREADS, 0, null)));
    assertThat(Objects.requireNonNull(knobs.get("kernel.threads-max")).value()).isEqualTo("402048");
  }

  @ParameterizedTest
  @CsvSource({"'',40000", "'39999','39999-40000'", "'40000','40000'"})
  void thePortOfTheServerIsReservedBesideThoseThatAre(String present, String written) {
    Facts facts = new Facts().sysctl("net.ipv4.ip_local_reserved_ports", present);
    Map<String, Knob> knobs = written(new Case(facts, new Question(600, Role.BOTH, ServerModel.unnamed(), 40_000, null)));
    assertThat(Objects.requireNonNull(knobs.get("net.ipv4.ip_local_reserved_ports")).value()).isEqualTo(written);
  }

  @Test
  void whatIsToBeLiftedNamesTheFileThatWasWritten() {
    Examination found = examine(new Case(new Facts().user(), new Question(1_100_000, Role.BOTH, THREADS, 0, null)));
    assertThat(ExaminationText.lines(found, false, null))
        .anyMatch(line -> line.contains("sudo tee /etc/security/limits.d/91-echo-ladder.conf"));
    assertThat(ExaminationText.lines(found, false, dir))
        .noneMatch(line -> line.contains("/etc/security/limits.d/91-"))
        .anyMatch(line -> line.startsWith("  sudo cp " + dir + "/limits.d/90-echo-ladder.conf /etc/security/limits.d/  # then log in anew"))
        .anyMatch(line -> line.startsWith("  sudo cp " + dir + "/limits.d/90-echo-ladder-threads.conf /etc/security/limits.d/"));
  }
}
