package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever a signal hits of a run, a run over hosts, a ledger, a tuning or a lab: nothing is left running or set, what was finished
 * stays as it was, and the run can be taken to its end.
 *
 * <p>{@code -Dkills=300 -Dkills.seed=7} makes the long form, or another one.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class RandomKillsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int RUN_MS = 5_000;
  private static final int HOSTS_MS = 8_000;
  private static final int LEDGER_MS = 9_000;
  private static final int TUNE_MS = 1_500;
  private static final int LAB_MS = 8_000;
  private static final int SETTINGS = 60;
  private static final Path MEMORY = Path.of("/dev/shm");

  /**
   * It stands between the ladder and the host, as processes of its own, and hands on what either says. Like a real ssh it ends with the
   * command that it ran, and its ladder sees an end when what hands on the answers is killed: the script itself keeps neither pipe open. The
   * command has parentheses: of braces the shell would keep both descriptors, to put them back.
   */
  private static final String SSH =
      """
      #!/bin/sh
      while [ "$1" != -- ]; do shift; done
      exec 3<&0 4>&1 </dev/null >/dev/null
      cat <&3 3<&- 4>&- | (sh -c "$3"; kill $$) 3<&- 4>&- | cat >&4 3<&- 4>&- &
      exec 3<&- 4>&-
      wait
      """;

  @TempDir private Path dir;

  private Path home() {
    return new TestCheckout(dir.resolve("home")).study("killed", KilledClimb.STUDY).checkout().root();
  }

  private static void climb(KilledClimb climb, RandomSignals signals, int latestMs) throws Exception {
    for (int ladders = 0; signals.left(); ladders++) {
      assertThat(ladders).as(signals.toString()).isLessThan(signals.mostLadders());
      try (LadderProcess ladder = climb.next()) {
        while (ladder.alive() && signals.left()) {
          signals.one(ladder, latestMs);
        }
        climb.over(ladder, signals);
      }
    }
    climb.end(signals);
  }

  @Test
  void aRun() throws Exception {
    try (RandomSignals signals = new RandomSignals("run", 40)) {
      climb(new KilledClimb(home(), dir, Map.of(), List.of()), signals, RUN_MS);
    }
  }

  /** Each of the two client hosts and the server host has a control process behind an ssh; the clients are shards. */
  @Test
  void aRunOverHosts() throws Exception {
    Path home = home();
    FakeHosts hosts = new FakeHosts(Files.createDirectories(dir.resolve("hosts")), home);
    Files.writeString(dir.resolve("hosts/bin/ssh"), SSH);
    List<String> over = List.of("--hosts", hosts.inventory("c1", "c2").toString());
    try (RandomSignals signals = new RandomSignals("hosts", 20)) {
      climb(new KilledClimb(home, dir, hosts.environment(), over), signals, HOSTS_MS);
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> hosts.left().isEmpty());
    }
  }

  @Test
  void aLedger() throws Exception {
    Map<String, String> steps =
        new TreeMap<>(
            Map.of(
                "first", ClaimsStudy.sleepers(100, "10ms"),
                "second", "run: ladder killed, args: --servers floor, line: floor",
                "third", ClaimsStudy.sleepers(1, "1s")));
    Path some = ClaimsStudy.in(dir.resolve("some"), "512M", steps);
    Files.createDirectory(some.resolve("climbs"));
    Files.writeString(some.resolve("climbs/killed.yaml"), KilledClimb.STUDY.replace("servers: [fake]", "servers: [floor]").replace("repeats: 3", "repeats: 1"));
    try (RandomSignals signals = new RandomSignals("ledger", 15)) {
      for (int ladders = 0; signals.left(); ladders++) {
        assertThat(ladders).as(signals.toString()).isLessThan(signals.mostLadders());
        Path results = Files.createDirectory(dir.resolve("ledger-" + ladders));
        try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", some.toString(), "--quick", "--results", results.toString())) {
          List<JsonNode> before = List.of();
          while (ladder.alive() && signals.left()) {
            before = entries(results);
            signals.one(ladder, LEDGER_MS);
          }
          assertThat(ladder.status()).as("%s%n%s", signals, ladder.err()).isIn(0, 1, 137);
          assertThat(ladder.err()).as(signals.toString()).doesNotContain("failed unexpectedly", "\tat ");
          signals.nothingIsLeft();
          List<JsonNode> after = entries(results);
          assertThat(after.subList(0, Math.min(before.size(), after.size()))).as(signals.toString()).isEqualTo(before);
          Optional<Path> ledger = ledger(results);
          if (ledger.isPresent()) {
            try (LadderProcess report = LadderProcess.start(HOME, dir, "report", ledger.get().resolveSibling("").toString())) {
              assertThat(report.status()).as("%s%n%s", signals, report.err()).isIn(0, 1);
            }
          }
        }
      }
    }
  }

  private static Optional<Path> ledger(Path results) throws IOException {
    try (Stream<Path> files = Files.walk(results, 3)) {
      return files.filter(file -> file.endsWith("ledger.json")).findFirst();
    }
  }

  private static List<JsonNode> entries(Path results) throws IOException {
    List<JsonNode> entries = new ArrayList<>();
    Optional<Path> ledger = ledger(results);
    if (ledger.isPresent()) {
      JsonMapper.shared().readTree(Files.readString(ledger.get())).get("entries").forEach(entries::add);
    }
    return entries;
  }

  @Test
  void aTuning() throws Exception {
    Path sys = dir.resolve("sys");
    Map<String, String> before = new TreeMap<>();
    StringBuilder profile = new StringBuilder();
    for (int i = 0; i < SETTINGS; i++) {
      before.put("vm/setting" + i, "1\n");
      profile.append("vm.setting").append(i).append(" = 2\n");
    }
    before.put("kernel/random/boot_id", "b001\n");
    for (Map.Entry<String, String> setting : before.entrySet()) {
      Path file = sys.resolve(setting.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, setting.getValue());
    }
    Path conf = Files.writeString(dir.resolve("p.conf"), profile);
    List<String> where = List.of("--state", dir.resolve("state").toString(), "--proc-sys", sys.toString());
    try (RandomSignals signals = new RandomSignals("tune", 15)) {
      for (int ladders = 0; signals.left(); ladders++) {
        assertThat(ladders).as(signals.toString()).isLessThan(signals.mostLadders());
        try (LadderProcess ladder = tune(where, ladders % 2 == 0 ? List.of("apply", conf.toString()) : List.of("restore"))) {
          signals.one(ladder, TUNE_MS);
          assertThat(ladder.status()).as("%s%n%s", signals, ladder.err()).isIn(0, 137);
        }
      }
      try (LadderProcess ladder = tune(where, List.of("restore"))) {
        assertThat(ladder.status()).as("%s%n%s", signals, ladder.err()).isZero();
      }
      Map<String, String> after = new TreeMap<>();
      for (String setting : before.keySet()) {
        after.put(setting, Files.readString(sys.resolve(setting)));
      }
      assertThat(after).as(signals.toString()).isEqualTo(before);
    }
  }

  private LadderProcess tune(List<String> where, List<String> verb) {
    return LadderProcess.start(HOME, dir, Stream.of(List.of("tune"), verb, where).flatMap(List::stream).toArray(String[]::new));
  }

  @Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
  @Test
  void aLab() throws Exception {
    try (RandomSignals signals = new RandomSignals("lab", 10)) {
      for (int ladders = 0; signals.left(); ladders++) {
        assertThat(ladders).as(signals.toString()).isLessThan(signals.mostLadders());
        Path scratch = Files.createDirectory(dir.resolve("lab-" + ladders));
        Path memory = Files.createTempDirectory(MEMORY, "lab");
        Map<String, String> there =
            Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + scratch, "TMPDIR", memory.toString());
        try (LadderProcess ladder =
            LadderProcess.start(
                HOME, dir, there, "lab", "--memory", "512M", "--timeout", "60s", "--", "bash", "-c", "sleep 4 & wait")) {
          signals.one(ladder, LAB_MS);
          // A kernel that lost one of its processes ends as it can.
          ladder.status();
          assertThat(ladder.err()).as(signals.toString()).doesNotContain("failed unexpectedly", "\tat echoladder");
          signals.nothingIsLeft();
        }
        Awaitility.await(signals.toString()).atMost(Duration.ofMinutes(1)).until(() -> folders(scratch).noneMatch(RandomKillsIT::watched) && folders(memory).findAny().isEmpty());
        Files.delete(memory);
      }
    }
  }

  private static Stream<Path> folders(Path in) {
    return Stream.of(Objects.requireNonNull(in.toFile().listFiles())).map(File::toPath).filter(file -> file.getFileName().toString().startsWith("ladder-lab-"));
  }

  /** Whether the shell that outlives the harness has begun: before, nobody is there to remove the folder of scripts. */
  private static boolean watched(Path lab) {
    return Files.exists(lab.resolve("control"));
  }
}
