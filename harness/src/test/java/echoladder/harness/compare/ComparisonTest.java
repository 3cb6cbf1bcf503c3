package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** With the committed run of made-up figures, and copies of it in which something is changed. */
class ComparisonTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  @BeforeAll
  static void likeTheLadder() {
    Locale.setDefault(Locale.ROOT);
  }

  /** The golden run, changed. */
  static RunRecord run(Consumer<ObjectNode> change) throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(GOLDEN));
    change.accept(json);
    return RunFolder.parse(json.toString());
  }

  private static void nothingMeasured(ObjectNode run) {
    run.putArray("rungs");
    run.putArray("climbs");
  }

  private static ObjectNode load(ObjectNode run) {
    return (ObjectNode) run.at("/study/load");
  }

  /** Every rung four times, with a CPU per echo that is some percent apart from repeat to repeat. */
  private static void fourTimes(ObjectNode run, double factor) {
    ((ObjectNode) run.get("study")).put("repeats", 4);
    ArrayNode rungs = (ArrayNode) run.get("rungs");
    ArrayNode all = JsonMapper.shared().createArrayNode();
    for (int repeat = 1; repeat <= 4; repeat++) {
      for (JsonNode rung : rungs) {
        ObjectNode copy = ((ObjectNode) rung).deepCopy().put("repeat", repeat);
        if (copy.path("server_cpu_us_per_echo").isNumber()) {
          copy.put("server_cpu_us_per_echo", copy.get("server_cpu_us_per_echo").asDouble() * factor * (1 + repeat / 100.0));
        }
        all.add(copy);
      }
    }
    run.set("rungs", all);
  }

  @Test
  void aRunAndItselfDifferInNothing() throws IOException {
    RunRecord run = run(json -> {});
    assertThat(Comparison.of(run, run))
        .contains("Nothing that was recorded differ")
        .containsPattern("floor +1,000 +server time p99 .* 1\\.00 +– +too few repeats: A 1, B 1 valid of 1")
        .doesNotContain("has more", "has less");
  }

  @Test
  void whatDiffersAroundThemComesFirst() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second =
        run(
            json -> {
              ((ObjectNode) json.at("/environment/kernel")).put("release", "9.9.9-other");
              ((ObjectNode) json.at("/environment/sysctl")).put("net.core.somaxconn", "7");
            });
    String text = Comparison.of(first, second);
    assertThat(text).containsPattern("kernel\\.release +\\S.* 9\\.9\\.9-other").contains("sysctl.net.core.somaxconn");
    assertThat(text.indexOf("9.9.9-other")).isLessThan(text.indexOf("server time p50"));
  }

  /** What the study says of a server, and its bounds and thresholds, decides as much as its phases. */
  @Test
  void whatTheStudySaysOtherwiseIsNamed() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second =
        run(
            json -> {
              ((ObjectNode) json.at("/study/bounds")).put("response_time_p99_ns", 5);
              ((ObjectNode) json.at("/study/thresholds")).put("late_share_most", 0.5);
              ObjectNode settings = ((ObjectNode) json.at("/study/servers/0")).putObject("settings");
              settings.putObject("sysctl").put("net.core.somaxconn", "8");
              settings.putObject("server").putNull("nofile").putNull("memory_bytes").putNull("tasks").putArray("without");
              settings.putObject("client").put("plan_ports", true).putArray("source_addresses");
              ((ObjectNode) json.get("study")).put("question", "Another?");
            });
    assertThat(Comparison.of(first, second))
        .containsPattern("study\\.bounds\\.response_time_p99_ns +\\d+ +5")
        .containsPattern("study\\.thresholds\\.late_share_most +0\\.01 +0\\.5")
        .containsPattern("settings.sysctl.net\\.core\\.somaxconn +– +8")
        .doesNotContain("question");
  }

  @Test
  void aFigureThatIsNotAboveZeroIsShownAndHasNoRatio() throws IOException {
    RunRecord first = run(json -> ((ObjectNode) json.at("/rungs/0")).put("server_rss_bytes_per_connection", -10));
    assertThat(Comparison.of(first, first)).containsPattern("RSS per connection +~0 \\(noise\\) +~0 \\(noise\\) +– +– +no ratio: not above 0 in 2 of 2");
  }

  @Test
  void aRunOverHostsIsNotComparedWithOneOverLoopback() throws IOException {
    RunRecord loopback = run(json -> {});
    RunRecord hosts =
        run(json -> ((ObjectNode) json.get("environment")).putObject("hosts").putObject("s1").put("group", "servers"));
    assertThatThrownBy(() -> Comparison.of(loopback, hosts))
        .hasMessageContaining("differ in where the server was (on the client's host and on a host of its own, which host figures are of)");
    assertThat(Comparison.of(hosts, hosts)).contains("Nothing that was recorded differs");
  }

  @Test
  void aServersOwnLoadIsComparedWithItsOwn() throws IOException {
    RunRecord second =
        run(
            json ->
                ((ObjectNode) json.at("/study/servers/0")).set("load", load(json).deepCopy().put("message_bytes", 65)));
    RunRecord first = run(json -> {});
    assertThatThrownBy(() -> Comparison.of(first, second)).hasMessageContaining("differ in the message size (64 and 65)");
    assertThat(Comparison.of(second, second)).contains("Nothing that was recorded differs");
  }

  @Test
  void fourRepeatsOfEachShowWhatIsTenPercentApart() throws IOException {
    String text = Comparison.of(run(json -> fourTimes(json, 1)), run(json -> fourTimes(json, 1.1)));
    assertThat(text)
        .containsPattern("floor +1,000 +server CPU per echo .* 1\\.10 +1\\.07–1\\.13 +B has more")
        .containsPattern("floor +1,000 +server time p99 .* 1\\.00 +1\\.00–1\\.00 +no difference shown");
  }

  @Test
  void aLabIsComparedWithLabsAloneAndByMemoryAlone() throws IOException {
    RunRecord host = run(json -> {});
    RunRecord lab =
        run(
            json -> {
              ObjectNode mark = ((ObjectNode) json.get("environment")).putObject("lab");
              mark.put("kind", "user-mode-linux").put("kernel", "6.1").put("memory_bytes", 1).putArray("may_claim").add("memory");
              mark.putArray("may_not_claim").add("times");
            });
    assertThatThrownBy(() -> Comparison.of(host, lab)).hasMessageContaining("the kernel (the host's and a lab's)");
    assertThat(Comparison.of(lab, lab))
        .contains("RSS per connection")
        .doesNotContain("server time p99", "server CPU per echo");
  }

  @Test
  void runsWithoutAValidRungInCommonAreRefusedWithWhatEachHas() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second = run(ComparisonTest::nothingMeasured);
    assertThatThrownBy(() -> Comparison.of(first, second))
        .hasMessageContaining("no valid rung in common: the first has floor 1,000")
        .hasMessageContaining("the second none");
  }

  /** A figure of one name does not mean one thing in both; two of before the number was recorded compare as they did. */
  @Test
  void runsOfDifferentInstrumentsAreRefused() throws IOException {
    RunRecord before = run(json -> {});
    RunRecord now = run(json -> json.put("instrument_version", Instrument.VERSION));
    RunRecord later = run(json -> json.put("instrument_version", Instrument.VERSION + 1));
    assertThatThrownBy(() -> Comparison.of(before, now))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("they differ in the version of the instrument (1, from before it was recorded and " + Instrument.VERSION + ")");
    assertThatThrownBy(() -> Comparison.of(later, now)).isInstanceOf(Refusal.class).hasMessageContaining("the version of the instrument");
    assertThat(Comparison.of(before, before)).contains("B / A");
    assertThat(Comparison.of(now, now)).contains("B / A");
  }

  /** One number | the other | whether connections come and go | the active share | whether every figure is as before. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5|6|false|1|true",
        "5|7|false|1|true",
        "7|5|false|1|true",
        "5|6|true|1|false",
        "5|7|true|1|false",
        "6|7|true|1|true",
        "6|7|false|0.5|false",
        "5|6|false|0.5|true",
        "4|5|false|1|false",
        "1|7|false|1|false",
        "7|8|true|0.5|true",
      })
  void instrumentsCompareWhereNoChangeTouchesTheLoad(int one, int other, boolean churn, double activeShare, boolean alike) throws IOException {
    RunRecord first = run(json -> measured(json, one, churn, activeShare));
    RunRecord second = run(json -> measured(json, other, churn, activeShare));
    assertThat(Objections.to(first, second).stream().noneMatch(against -> against.contains("the version of the instrument")))
        .as("%s and %s", one, other)
        .isEqualTo(alike);
  }

  @Test
  void runsOverANetworkAreOfOneInstrumentFromTheNumberOnThatCountsEveryRetransmit() throws IOException {
    RunRecord before = overANetwork(7);
    RunRecord now = overANetwork(8);
    assertThat(before.study().networked()).isTrue();
    assertThat(Objections.to(before, now)).anyMatch(against -> against.contains("the version of the instrument (7 and 8)"));
    assertThat(Objections.to(now, now)).noneMatch(against -> against.contains("the version of the instrument"));
  }

  private static RunRecord overANetwork(int instrument) throws IOException {
    Path record = Checkout.find().results().resolve("reference/over-a-network/20261201T014851Z-0754/run.json");
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(record));
    return RunFolder.parse(json.put("instrument_version", instrument).toString());
  }

  private static void measured(ObjectNode json, int instrument, boolean churn, double activeShare) {
    json.put("instrument_version", instrument);
    ObjectNode load = (ObjectNode) json.at("/study/load");
    load.put("active_share", activeShare);
    if (churn) {
      load.put("churn_per_s", 10).put("lifetime", "exponential");
    }
  }

  /** By how much the second run's CPU is more | the bound | whether it passes | what its lines say. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.3|server_cpu_us_per_echo > 1.10|false|FAILS: > 1.1",
        "1.3|server_cpu_us_per_echo>1.5|true|passes: not > 1.5",
        "1.0|server_cpu_us_per_echo > 0.9|true|passes: not > 0.9",
        "0.7|server_cpu_us_per_echo > 1.10|true|passes: not > 1.1",
        "0.7|server_cpu_us_per_echo < 0.9|false|FAILS: < 0.9",
      })
  void aGuardFailsBeyondItsBoundWhereTheRepeatsShowIt(double factor, String bound, boolean passed, String said) throws IOException {
    RunRecord first = run(json -> fourTimes(json, 1));
    RunRecord second = run(json -> fourTimes(json, factor));
    Guard.Outcome outcome = Guard.parse(bound).look(first, second);
    assertThat(outcome.passed()).isEqualTo(passed);
    assertThat(outcome.lines()).isNotEmpty().allMatch(line -> line.contains(said));
  }

  @Test
  void aGuardThatCannotTellFails() throws IOException {
    RunRecord single = run(json -> {});
    Guard.Outcome few = Guard.parse("server_cpu_us_per_echo > 1.10").look(single, single);
    assertThat(few.passed()).isFalse();
    assertThat(few.lines()).isNotEmpty().allMatch(line -> line.contains("cannot be told: too few repeats: A 1, B 1 valid of 1; four of each run at least"));
    RunRecord none = run(ComparisonTest::nothingMeasured);
    assertThat(Guard.parse("server_cpu_us_per_echo > 1.10").look(single, none).lines()).singleElement().asString().contains("no rung is valid in both");
  }

  /** One of four repeats is invalid in the second run: who reads "too few" has four in front of him. */
  @Test
  void tooFewRepeatsAreCounted() throws IOException {
    RunRecord first = run(json -> fourTimes(json, 1));
    RunRecord second = run(json -> {
      fourTimes(json, 1);
      invalid(json, "floor", 1_000, 2);
    });
    assertThat(Comparison.of(first, second)).containsPattern("floor +1,000 +server CPU per echo .* too few repeats: A 4, B 3 valid of 4");
    RunRecord single = run(json -> {});
    assertThat(Comparison.of(first, single)).containsPattern("floor +1,000 +server CPU per echo .* too few repeats: A 4 valid of 4, B 1 of 1");
  }

  private static void invalid(ObjectNode run, String server, int connections, int repeat) {
    for (JsonNode rung : run.get("rungs")) {
      if (rung.path("server").asString().equals(server) && rung.path("connections_requested").asInt() == connections
          && rung.path("repeat").asInt(1) == repeat) {
        ((ObjectNode) rung).put("verdict", "invalid");
      }
    }
  }

  private static void renamed(ObjectNode run, String from, String to) {
    for (JsonNode entry : run.at("/study/servers")) {
      rename(entry, "label", from, to);
    }
    run.get("servers").forEach(server -> rename(server, "label", from, to));
    run.get("rungs").forEach(rung -> rename(rung, "server", from, to));
    run.get("climbs").forEach(climb -> rename(climb, "server", from, to));
  }

  private static void rename(JsonNode in, String key, String from, String to) {
    if (in.path(key).asString("").equals(from)) {
      ((ObjectNode) in).put(key, to);
    }
  }

  /** The floor is beside every server: where it is all that both runs have, it would pass for the answer. */
  @Test
  void runsThatHaveOnlyTheFloorInCommonAreRefused() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second = run(json -> List.of("platform-threads", "virtual-threads", "vt-serial").forEach(label -> renamed(json, label, "my-" + label)));
    assertThatThrownBy(() -> Comparison.of(first, second))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no server in common but the floor")
        .hasMessageContaining("the first has platform-threads, virtual-threads, vt-serial, the second my-platform-threads, my-virtual-threads, my-vt-serial")
        .hasMessageContaining("--name");
  }

  @Test
  void whatIsValidInOneRunAloneIsSaid() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second = run(json -> renamed(json, "virtual-threads", "mine"));
    assertThat(Comparison.of(first, second))
        .contains("Not compared, as they are valid in A alone: virtual-threads at 1,000, virtual-threads at 10,000\n")
        .contains("Not compared, as they are valid in B alone: mine at 1,000, mine at 10,000\n");
    assertThat(Comparison.of(first, first)).doesNotContain("Not compared");
  }

  /** A server that got so slow that its rung is no longer valid must not pass by its floor. */
  @Test
  void aGuardFailsWhereARungIsNoLongerValid() throws IOException {
    RunRecord first = run(json -> fourTimes(json, 1));
    RunRecord second = run(json -> {
      fourTimes(json, 1);
      List.of(1, 2, 3, 4).forEach(repeat -> invalid(json, "virtual-threads", 1_000, repeat));
    });
    Guard guard = Guard.parse("server_cpu_us_per_echo > 1.10");
    Guard.Outcome outcome = guard.look(first, second);
    assertThat(outcome.passed()).isFalse();
    assertThat(outcome.lines())
        .contains("fail-if: virtual-threads at 1,000: cannot be told: it is valid in the first run, and not in the second")
        .noneMatch(line -> line.contains("FAILS"));
    assertThat(guard.look(second, first).passed()).as("it was not valid before").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "server_cpu_us_per_echo", "server_cpu_us_per_echo = 1", "server_cpu_us_per_echo > 0", "cpu > 1.1", "server_cpu_us_per_echo > -1"})
  void aGuardOfAnotherFormIsRefused(String text) {
    assertThatThrownBy(() -> Guard.parse(text)).isInstanceOf(Refusal.class).hasMessageContaining("--fail-if");
  }
}
