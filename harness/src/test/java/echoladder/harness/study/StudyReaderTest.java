package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.LoadJudge;
import echoladder.client.Schedule;
import echoladder.harness.Studies;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.limits.KnownLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudyReaderTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers:
        - fake
        - {name: fake, label: fake-9, options: {level: 9, behaviour: silent}}
      rungs: [10, 20]
      load:
        rate: {total: 100/s}
      phases:
        steady: 2s
      """;

  @TempDir private Path dir;
  private TestCheckout test = new TestCheckout(Path.of("target/never-used"));

  @BeforeEach
  void checkout() {
    test = new TestCheckout(dir);
  }

  private Study read(String nameOrPath) {
    return new StudyReader(test.checkout(), test.servers()).read(nameOrPath);
  }

  @Test
  void fillsInEveryDefault() {
    test.study("a", GOOD);
    Study study = read("a");
    assertThat(study.client()).isEqualTo("open-loop");
    assertThat(study.rungs()).containsExactly(10, 20);
    assertThat(study.repeats()).isEqualTo(3);
    assertThat(study.load()).isEqualTo(Studies.total(100));
    assertThat(study.phases())
        .isEqualTo(
            new Study.Phases(5000, 10_000_000_000L, 2_000_000_000L, 10_000_000_000L, null, 2_000_000_000L, 5_000_000_000L, 0, 0));
    assertThat(study.bounds()).isEqualTo(new Study.Bounds(1_000_000_000L, 30_000_000_000L)).isEqualTo(Study.Bounds.DEFAULT);
    assertThat(study.thresholds())
        .isEqualTo(new Study.Thresholds(0.95, 0.01, 100_000_000L, 0.05, 0.03, 0.2, 0.2, 0.8))
        .isEqualTo(Study.Thresholds.DEFAULT);
    // One load is judged alike in a study that says nothing and by ./ladder load.
    assertThat(study.thresholds().ofLoad()).isEqualTo(LoadJudge.Bounds.DEFAULT);
    assertThat(study.thresholds().ofDrift()).isEqualTo(LoadJudge.DriftBounds.DEFAULT);
    assertThat(study.servers())
        .containsExactly(
            Study.Entry.plain("fake", "fake", "open-loop", Map.of()),
            Study.Entry.plain("fake-9", "fake", "open-loop", Map.of("level", "9", "behaviour", "silent")));
  }

  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  @Test
  void readsEveryKey() {
    test.study(
        "a",
        """
        name: a
        question: What does this study ask, exactly?
        client: open-loop
        servers: [fake]
        rungs: [1, 5000000]
        load: {rate: {per_connection: 0.5/s}, message: 1KiB, schedule: poisson, active_share: 0.25, in_flight: 4, seed: 7}
        phases:
          {connect_rate: 10/s, connect_timeout: 1m, warm_up_min: 0s, warm_up_max: 0s, warm_up_echoes: 0, steady: 1h, drain: 0s}
        bounds: {response_time_p99: 5ms, server_start: 5s}
        thresholds:
          {achieved_share_least: 0.5, late_share_most: 0, hiccup_most: 5ms, host_idle_share_least: 0, steal_share_most: 0.5,
           foreign_cpu_share_most: 0.4, cpu_drift_share_most: 0.3}
        """);
    Study study = read("a");
    assertThat(study.load())
        .isEqualTo(
            new StudyLoad(
                null, 0.5, List.of(), 1024, Schedule.POISSON, 0.25, 4, 7, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null));
    assertThat(study.load().totalPerS(100)).isEqualTo(12.5);
    assertThat(study.phases())
        .isEqualTo(new Study.Phases(10, 60_000_000_000L, 0, 0, 0L, 3_600_000_000_000L, 0, 0, 0));
    assertThat(study.bounds()).isEqualTo(new Study.Bounds(5_000_000, 5_000_000_000L));
    assertThat(study.thresholds()).isEqualTo(new Study.Thresholds(0.5, 0, 5_000_000, 0, 0.5, 0.4, 0.3, 0.8));
  }

  /** What is replaced in the good study | by what | what the message must contain. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name: a|name: b|study.yaml:1: name: 'b' is not allowed; the study lies in the folder 'a'",
        "name: a|name: A b|study.yaml:1: name: 'A b' is not allowed; lower-case letters",
        "name: a|names: a|study.yaml:1: names: unknown key; known here: name, question, client",
        "name: a|names: a|the key 'name' is missing",
        "question: What does this study ask, exactly?|question: 42|question: 42 is not allowed; one sentence",
        "question: What does this study ask, exactly?|question: why|question: 'why' is not allowed; one sentence",
        "rungs: [10, 20]|rungs: [10]\\nrepeats: 0|repeats: 0 is not allowed; a whole number, 1 to 100",
        "rungs: [10, 20]|rungs: []|study.yaml:6: rungs: [] is not allowed; a list of 1 to 64",
        "rungs: [10, 20]|rungs: 10|study.yaml:6: rungs: 10 is not allowed; a list of 1 to 64",
        "rungs: [10, 20]|rungs: [0]|rungs[0]: 0 is not allowed; a whole number of connections, 1 to 5000000",
        "rungs: [10, 20]|rungs: [-5]|rungs[0]: -5 is not allowed; a whole number of connections, 1 to 5000000",
        "rungs: [10, 20]|rungs: [5000001]|rungs[0]: 5000001 is not allowed; a whole number of connections",
        "rungs: [10, 20]|rungs: [99999999999999999999]|rungs[0]: 99999999999999999999 is not allowed",
        "rungs: [10, 20]|rungs: [1.5]|rungs[0]: 1.5 is not allowed; a whole number",
        "rungs: [10, 20]|rungs: [1_000]|rungs[0]: '1_000' is not allowed; a whole number",
        "rungs: [10, 20]|rungs: [10, x]|rungs[1]: 'x' is not allowed; a whole number",
        "rungs: [10, 20]|rungs: [20, 10]|rungs[1]: 10 is not allowed; more than the rung before, 20",
        "rungs: [10, 20]|rungs: [10, 10]|rungs[1]: 10 is not allowed; more than the rung before, 10",
        "rate: {total: 100/s}|rate: {total: [100]}|study.yaml:8: load.rate.total: [100] is not allowed; messages over all",
        "rate: {total: 100/s}|rate: {total: 100/m}|load.rate.total: '100/m' is not allowed; a rate per second, as in 5000, 5000/s or 5k/s",
        "rate: {total: 100/s}|rate: {total: 0/s}|load.rate.total: '0/s' is outside the range; a rate per second, as in 5000, 5000/s or 5k/s, 0.001/s to 10000000/s",
        "rate: {total: 100/s}|rate: {total: -1/s}|load.rate.total: '-1/s' is not allowed",
        "rate: {total: 100/s}|rate: {total: 1e9/s}|load.rate.total: '1e9/s' is not allowed",
        "rate: {total: 100/s}|rate: {total: 10000001/s}|load.rate.total: '10000001/s' is outside the range",
        "rate: {total: 100/s}|rate: {}|load.rate: {} is not allowed; exactly one of total, per_connection and totals",
        "rate: {total: 100/s}|rate: {total: 1/s, per_connection: 1/s}|exactly one of total, per_connection and totals",
        "rate: {total: 100/s}|rate: {totals: [100/s]}|load.rate.totals: [\"100/s\"] is not allowed; a list of 2 to 32 totals",
        "rate: {total: 100/s}|rate: {totals: [200/s, 100/s]}|load.rate.totals[1]: 100/s is not allowed; more than the total before, 200/s",
        "rate: {total: 100/s}|rate: {totals: [0.5/s, 100/s]}|load.rate.totals[0]: 0.5/s is not allowed; a whole number",
        "rate: {total: 100/s}|rate: {totals: [1/s, 20000000/s]}|load.rate.totals[1]: '20000000/s' is outside the range",
        "rate: {total: 100/s}|rate: 100/s|load.rate: '100/s' is not allowed; exactly one of",
        "rate: {total: 100/s}|rate: {per_connection: 100000/s}|rungs",
        "rate: {total: 100/s}|rate: {per_connection: 0.001/s}|load.rate: 10 connections at 0.01/s together for 2 s of steady state come to"
            + " 0.02 messages; 1 or more are needed; raise the rate, or lengthen phases.steady",
        "rate: {total: 100/s}|seed: 1|study.yaml:7: load: the key 'rate' is missing",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  message: 64|load.message: 64 is not allowed",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  message: 0B|load.message: '0B' is outside the range; a size with its unit B, KiB or MiB, 1B to 16MiB",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  message: 17MiB|load.message: '17MiB' is outside the range",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  message: 64KB|load.message: '64KB' is not allowed; a size with",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  schedule: uniform|load.schedule: 'uniform' is not allowed; constant",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  active_share: 0|load.active_share: 0 is not allowed; part of",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  active_share: 1.1|above 0 and at most 1",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  active_share: .nan|load.active_share",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  in_flight: 0|load.in_flight: 0 is not allowed",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  in_flight: 65|load.in_flight: 65 is not allowed",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  seed: -1|load.seed: -1 is not allowed",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  seed: 1e30|load.seed: 1000000000000000019884624838656 is not allowed",
        "steady: 2s|steady: 2s\\n  warm_up_echoes: 1e19|phases.warm_up_echoes: 10000000000000000000 is not allowed",
        "steady: 2s|steady: 2s\\n  warm_up_echoes: -1e19|phases.warm_up_echoes: -10000000000000000000 is not allowed",
        "steady: 2s|steady: 2s\\n  warm_up_echoes: 1e999|phases.warm_up_echoes",
        "rate: {total: 100/s}|rate: {total: 100/s}\\n  rates: 1|study.yaml:9: load.rates: unknown key; known here: rate,",
        "steady: 2s|steady: 2|study.yaml:10: phases.steady: 2 is not allowed; length of the part",
        "steady: 2s|steady: 2sec|phases.steady: '2sec' is not allowed; a time with its unit ms, s, m or h, 1s to 24h",
        "steady: 2s|steady: 999ms|phases.steady: '999ms' is outside the range; a time with its unit ms, s, m or h, 1s to 24h",
        "steady: 2s|steady: 25h|phases.steady: '25h' is outside the range",
        "steady: 2s|steady: null|phases.steady: null is not allowed",
        "steady: 2s|warm_up_max: 1s|the key 'steady' is missing",
        "steady: 2s|steady: 2s\\n  warm_up_max: 1s|phases.warm_up_max: less than warm_up_min; 1.00 s is, at least 2.00 s",
        "steady: 2s|steady: 2s\\n  stand_warm_up: 5s|phases.stand_warm_up: not allowed here; it is for load.rate.totals",
        "steady: 2s|steady: 2s\\n  connect_rate: 0/s|phases.connect_rate: '0/s' is outside the range",
        "steady: 2s|steady: 2s\\n  connect_timeout: 1ms|phases.connect_timeout: '1ms' is outside the range",
        "steady: 2s|steady: 2s\\n  warm_up_echoes: -1|phases.warm_up_echoes: -1 is not allowed",
        "steady: 2s|steady: 2s\\nbounds: {response_time_p99: 0s}|bounds.response_time_p99: '0s' is outside the range",
        "steady: 2s|steady: 2s\\nbounds: {p99: 1s}|bounds.p99: unknown key; known here: response_time_p99, server_start",
        "steady: 2s|steady: 2s\\nthresholds: {late_share_most: 1}|thresholds.late_share_most: 1 is not allowed",
        "steady: 2s|steady: 2s\\nthresholds: {hiccup_most: 100}|thresholds.hiccup_most: 100 is not allowed",
        "steady: 2s|steady: 2s\\nclient: wrk|client: 'wrk' is not allowed; open-loop",
        "label: fake-9|label: fake-9, client: wrk|servers[1].client: 'wrk' is not allowed; open-loop (the default), closed-loop",
        "steady: 2s|steady: 2s\\nclient: wrk2|servers[0]: 'fake' speaks tcp, which wrk2 does not; clients that fit: open-loop, tcpkali",
        "- fake|- fakes|study.yaml:4: servers[0]: there is no server 'fakes'; known servers: fake",
        "label: fake-9|label: fake|servers[1]: 'fake' is there twice",
        "level: 9|level: 10|servers[1].options.level: '10' is not allowed; a whole number from 0 to 9",
        "level: 9|level: many|servers[1].options.level: 'many' is not allowed; a whole number from 0 to 9",
        "level: 9|levels: 9|servers[1].options.levels: 'fake' has no such option; it has behaviour, level",
        "behaviour: silent|behaviour: wild|servers[1].options.behaviour: 'wild' is not allowed; one of good, silent",
        "{name: fake, label|{names: fake, label|servers[1].names: unknown key; known here: name, label, entry, options",
        "steady: 2s|steady: [2s|study.yaml:1",
      })
  void saysWhatIsWrongAndWhatIsAllowed(String good, String bad, String message) {
    assertThat(GOOD).contains(good);
    test.study("a", GOOD.replace(good, bad.replace("\\n", "\n")));
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read("a"));
    if (message.equals("rungs")) {
      // 2,000,000/s are within bounds: nothing to refuse.
      assertThat(refusal).isNull();
      return;
    }
    assertThat(refusal).isNotNull().hasMessageContaining(message).hasMessageContaining("studies/a/study.yaml:");
    assertThat(refusal.status()).isEqualTo(Refusal.BAD_USAGE);
  }

  @Test
  void saysEverythingAtOnce() {
    test.study("a", GOOD.replace("2s", "2").replace("100/s", "0/s").replace("[10, 20]", "[0]"));
    assertThatThrownBy(() -> read("a"))
        .hasMessageContaining("phases.steady")
        .hasMessageContaining("load.rate.total")
        .hasMessageContaining("rungs[0]");
  }

  @Test
  void refusesATotalThatGrowsTooLarge() {
    test.study("a", GOOD.replace("total: 100/s", "per_connection: 100000/s").replace("[10, 20]", "[10, 200]"));
    assertThatThrownBy(() -> read("a"))
        .hasMessageContaining("load.rate.per_connection: 20,000,000/s in total at the rung of 200; at most 10,000,000/s");
  }

  @Test
  void whatStandsInInLabTakesTheStudysPlaceThereAndNowhereElse() {
    test.study("a", GOOD + "in_lab: {phases.steady: 7s, load.rate.total: 3/s}\n");
    Study inLab = new StudyReader(test.checkout(), test.servers(), true).read("a");
    assertThat(read("a").phases().steadyNs()).isEqualTo(2_000_000_000L);
    assertThat(inLab.phases().steadyNs()).isEqualTo(7_000_000_000L);
    assertThat(inLab.load().totalPerS()).isEqualTo(3.0);
    assertThat(inLab.phases().drainNs()).isEqualTo(read("a").phases().drainNs());
  }

  @Test
  void whatIsWrongInInLabIsRefusedEverywhere() {
    test.study("a", GOOD + "in_lab: {phases.steady: 7}\n");
    assertThatThrownBy(() -> read("a")).hasMessageContaining("phases.steady: 7 is not allowed");
  }

  @Test
  void findsAStudyByNameByFileAndByFolder() {
    test.study("a", GOOD);
    Path folder = test.checkout().studies().resolve("a");
    Study byName = read("a");
    assertThat(read(folder.toString())).isEqualTo(byName);
    assertThat(read(folder.resolve("study.yaml").toString())).isEqualTo(byName);
  }

  @Test
  void takesAnyNameOutsideOfTheCheckout(@TempDir Path elsewhere) {
    new TestCheckout(elsewhere).write("mine.yaml", GOOD);
    assertThat(read(elsewhere.resolve("mine.yaml").toString()).name()).isEqualTo("a");
  }

  @Test
  void listsTheStudiesThereAre() {
    test.study("a", GOOD).study("b", GOOD.replace("name: a", "name: b"));
    assertThatThrownBy(() -> read("c"))
        .hasMessageStartingWith("there is no study 'c'; known studies: a, b")
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> read("../secrets")).hasMessageContaining("known studies: a, b");
  }

  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  @Test
  void readsWhatIsSetForOneServer() {
    test.study(
        "a",
        GOOD.replace(
            "- fake\n",
            "- {name: fake, settings: {sysctl: {fs.file-max: 5000, net.ipv4.tcp_mem: 1 2 3}, server: {nofile: 100,"
                + " without: [sys_admin], memory: 64MiB, tasks: 20, plan_memory: false, plan_limits: false, backlog: 50}, client: {source_addresses: [127.0.0.9], target_addresses: [127.0.0.4], plan_ports:"
                + " false}}, load: {message: 1KiB}, expect_limit: fs.file-max}\n"));
    Study.Entry entry = read("a").servers().getFirst();
    assertThat(entry.settings())
        .isEqualTo(
            new EntrySettings(
                Map.of("fs.file-max", "5000", "net.ipv4.tcp_mem", "1 2 3"),
                new EntrySettings.OfServer(100L, List.of("sys_admin"), 64L << 20, 20L, false, false, 50),
                new EntrySettings.OfClient(List.of("127.0.0.9"), List.of("127.0.0.4"), false)));
    assertThat(read("a").load(entry))
        .isEqualTo(
            new StudyLoad(
                100.0, null, List.of(), 1024, Schedule.CONSTANT, 1, 1, 1, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null));
    assertThat(entry.expectLimit()).isEqualTo(KnownLimit.FILE_MAX);
  }

  @Test
  void aRangeOfAddressesIsEachOfThem() {
    test.study("a", GOOD.replace("- fake\n", "- {name: fake, settings: {client: {target_addresses: [127.0.3.1-12, 127.0.4.9]}}}\n"));
    EntrySettings settings = read("a").servers().getFirst().settings();
    assertThat(settings.client().targetAddresses()).hasSize(13).startsWith("127.0.3.1", "127.0.3.2").endsWith("127.0.3.12", "127.0.4.9");
    assertThat(settings.words()).isEqualTo("loaded at 13 addresses from 127.0.3.1 to 127.0.4.9");
    assertThat(settings.plain()).as("as to what a connection takes").isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "settings: {client: {target_addresses: [127.0.0.2-40]}} | target_addresses",
        "settings: {client: {target_addresses: [127.0.0.1-0]}} | target_addresses",
        "settings: {client: {target_addresses: [127.0.0.1-400]}} | target_addresses",
        "settings: {sysctl: {filemax: 1}} | filemax",
        "settings: {server: {nofile: 1}} | nofile",
        "settings: {server: {memory: 64}} | memory",
        "settings: {client: {source_addresses: [localhost]}} | source_addresses",
        "settings: {client: {target_addresses: [10.0.0.1]}} | target_addresses",
        "expect_limit: file-max | expect_limit"
      })
  void refusesSettingsThatAreNone(String entry, String named) {
    test.study("a", GOOD.replace("- fake\n", "- {name: fake, " + entry + "}\n"));
    assertThatThrownBy(() -> read("a")).hasMessageContaining(named);
  }

  /** As editors of other systems write it; what is no UTF-8 is named. */
  @Test
  void aByteOrderMarkAndOtherLineEndsAreTakenAndUtf16IsRefused() throws IOException {
    Path file = dir.resolve("studies/a/study.yaml");
    test.study("a", GOOD);
    Study plain = read("a");
    for (String text : List.of("\uFEFF" + GOOD, GOOD.replace("\n", "\r\n"))) {
      Files.writeString(file, text);
      assertThat(read("a")).isEqualTo(plain);
    }
    Files.writeString(file, GOOD, StandardCharsets.UTF_16);
    assertThatThrownBy(() -> read("a"))
        .isInstanceOf(Refusal.class).hasMessageContaining("not UTF-8 text");
  }
}
