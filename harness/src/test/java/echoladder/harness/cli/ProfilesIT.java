package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Profile;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extra repeats with a profiler, on a host that has perf and on one that has not. */
class ProfilesIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: profiled
      question: Which calls does an echo take?
      servers: [floor]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 500/s}}
      phases: {connect_rate: 200/s, warm_up_min: 0s, warm_up_max: 2m, steady: 4s, drain: 2s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      breakdown: {profiles: [%s]}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private RunRecord climbed(String profiles, Map<String, String> environment, String said) throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.formatted(profiles));
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, environment, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.err()).contains(said);
    }
    RunFolder folder = folder();
    assertThat(RunSchema.complaints(Files.readString(folder.file("run.json")))).isEmpty();
    return folder.read();
  }

  private RunFolder folder() throws IOException {
    return new RunFolder(RunBelow.folder(dir.resolve("results"), "profiled"));
  }

  /** All programs of this host but perf, so that whatever else the ladder starts is there. */
  private String pathWithoutPerf() throws IOException {
    Path folder = Files.createDirectory(dir.resolve("bin"));
    for (String of : String.valueOf(System.getenv("PATH")).split(":", -1)) {
      try (Stream<Path> programs = Files.isDirectory(Path.of(of)) ? Files.list(Path.of(of)) : Stream.of()) {
        for (Path program : programs.toList()) {
          Path link = folder.resolve(program.getFileName());
          if (!program.endsWith("perf") && !Files.exists(link) && Files.exists(program)) {
            Files.createSymbolicLink(link, program);
          }
        }
      }
    }
    return folder.toString();
  }

  @Test
  void withoutPerfAProfileIsSkippedByNameAndTheRunIsComplete() throws Exception {
    RunRecord run = climbed("{kind: syscalls}", Map.of("PATH", pathWithoutPerf()), "the profile 'syscalls' is skipped: ");
    assertThat(run.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(run.rungs()).singleElement().satisfies(rung -> assertThat(rung.valid()).isTrue());
    assertThat(run.profiles())
        .singleElement()
        .satisfies(
            of -> {
              assertThat(of.rung().status()).isEqualTo(Status.NOT_ATTEMPTED);
              assertThat(of.rung().statusReason()).contains("perf", "apt-get install linux-perf");
            });
    assertThat(run.unitCosts()).as("no sum is asked for").isNull();
    assertThat(Files.readString(folder().file("REPORT.md"))).contains("| floor | 20 | syscalls |");
  }

  @Test
  @Tag("long")
  @Needs(Need.PERF)
  void aWatchedServerHasItsCallsEventsAndStacksAndItsRungsStayAsTheyAre() throws Exception {
    RunRecord run = climbed("{kind: syscalls}, {kind: events}, {kind: cpu}", Map.of(), "profile cpu: watched for");
    assertThat(run.rungs()).singleElement().satisfies(rung -> assertThat(rung.repeat()).isEqualTo(1));
    assertThat(run.profiles()).extracting(ProfileRecord::kind).containsExactly(Profile.Kind.SYSCALLS, Profile.Kind.EVENTS, Profile.Kind.CPU);
    assertThat(run.profiles()).allSatisfy(of -> assertThat(of.problem()).isNull());
    ProfileRecord calls = run.profiles().getFirst();
    // Each echo is written once; what the server's page takes besides is little beside 500 echoes a second.
    assertThat(calls.count("write").orElseThrow().perEcho()).isBetween(0.8, 1.5);
    assertThat(run.profiles().get(1).count("context-switches").orElseThrow().perEcho()).isPositive();
    String stacks = Objects.requireNonNull(Objects.requireNonNull(run.profiles().get(2).watched()).stacks());
    assertThat(Files.readString(folder().file(stacks))).contains("_[k]");
    List<String> command = Objects.requireNonNull(run.profiles().get(2).rung().process()).command();
    assertThat(command).as("of that repeat alone").contains("-XX:+PreserveFramePointer");
    assertThat(run.rungs().stream().map(RungRecord::process)).allSatisfy(of -> assertThat(Objects.requireNonNull(of).command()).doesNotContain("-XX:+PreserveFramePointer"));
    assertThat(Files.readString(folder().file("REPORT.md"))).contains("](flame-floor-20.svg)", "| write | 20 |");
    assertThat(folder().file("flame-floor-20.svg")).isRegularFile();
    assertThat(Files.readString(folder().file("report.html"))).contains("CPU time of floor");
  }
}
