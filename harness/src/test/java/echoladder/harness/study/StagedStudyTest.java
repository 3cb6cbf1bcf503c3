package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.StagedLoad;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;
import echoladder.harness.report.text.PlanTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users in stages in a study, and values set from the command line. */
class StagedStudyTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers: [{name: web, label: c, client: closed-loop}, {name: web, label: o}]
      load:
        stages:
          - {users: 100, over: 1m}
          - {users: 0, over: 30s}
        requests:
          - {name: heavy, path: "/api/heavy?duration=500", answer: heavy, takes: 500ms}
          - {name: light, path: /api/light, answer: light}
      """;

  @TempDir private Path dir;
  private TestCheckout test = new TestCheckout(Path.of("target/never-used"));

  @BeforeEach
  void checkout() {
    test = new TestCheckout(dir).server("web", "contender", "http");
  }

  private Study read(String text, String... settings) {
    test.study("a", text);
    Selection selection =
        new Selection(null, List.of(), Arrays.stream(settings).map(YamlSetting::parse).toList());
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  @Test
  void fillsInEveryDefault() {
    Study study = read(GOOD);
    StagedUsers users = Objects.requireNonNull(study.load().staged());
    assertThat(users.load(StagedLoad.Loop.CLOSED).pause()).isEqualTo(Duration.ofMillis(100));
    assertThat(users.answerWithinNs()).isEqualTo(5_000_000_000L);
    assertThat(users.warmUpUsers()).isEqualTo(20);
    assertThat(users.stageScale()).isEqualTo(1);
    assertThat(study.rungs()).containsExactly(200);
    assertThat(study.phases().steadyNs()).isEqualTo(90_000_000_000L);
    // 50 users on average, two requests in 0.6 s.
    assertThat(study.load().totalPerS(200)).isEqualTo(50 * 2 / 0.6);
    assertThat(study.bounds()).isEqualTo(new Study.Bounds(3_600_000_000_000L, 30_000_000_000L));
    assertThat(study.thresholds()).isEqualTo(new Study.Thresholds(0, 0.01, 100_000_000L, 0.05, 0.03, 0.2, 0.2, 0.8));
    assertThat(study.repeats()).isEqualTo(1);
    assertThat(study.servers().stream().map(Study.Entry::client)).containsExactly("closed-loop", "open-loop");
  }

  @Test
  void settingsTakeThePlaceOfWhatTheFileSays() {
    Study study =
        read(GOOD, "load.stage_scale=0.05", "load.stages[0].users=7", "load.warm_up_users=3", "servers[1].label=open");
    assertThat(study.phases().steadyNs()).isEqualTo(4_500_000_000L);
    assertThat(study.rungs()).containsExactly(14);
    assertThat(study.servers().getLast().label()).isEqualTo("open");
  }

  @Test
  void settingsStandInTheCommandThatDoesItAgain() {
    List<YamlSetting> settings =
        List.of(YamlSetting.parse("phases.steady=3s"), YamlSetting.parse("rungs=[1, 2]"));
    assertThat(new Selection(null, List.of("x"), settings).asOptions())
        .isEqualTo(" --servers x --set phases.steady=3s --set 'rungs=[1, 2]'");
  }

  @Test
  void thePlanShowsTheStages() {
    Study study = read(GOOD);
    Plan plan = Planner.plan(
            study, test.servers(), new Planner.Place(HostFactsReader.read(), Role.BOTH, null), (_, _) -> Obstacles.NONE);
    assertThat(PlanTable.of(study, plan))
        .contains("0 to 100", "0.0 to 333", "closed-loop", "open-loop", "2 of 2 measurements are within reach")
        .contains("GET /api/heavy?duration=500 (heavy) and GET /api/light (light) at once");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "users: 100|users: 5001|study.yaml:6: load.stages[0].users: 5001 is not allowed; a whole number of users",
        "users: 100|users: 0|study.yaml:5: load.stages: users: 0 is not allowed; at least one at the end of some stage",
        "over: 1m|over: 1|study.yaml:6: load.stages[0].over: 1 is not allowed; how long",
        "over: 1m|over: 25h|study.yaml:6: load.stages[0].over: '25h' is outside the range; a time with its unit",
        "over: 1m|for: 1m|study.yaml:6: load.stages[0].for: unknown key; known here: users, over",
        "takes: 500ms|takes: 2m|study.yaml:9: load.requests[0].takes: '2m' is outside the range",
        "name: light|name: all|study.yaml:10: load.requests[1].name: 'all' is not allowed; lower-case letters",
        "path: /api/light|path: api|load.requests[1].path: 'api' is not allowed; what is asked for by GET",
        "path: /api/light, ||study.yaml:10: load.requests[1]: the key 'path' is missing",
        "name: a|name: a\\nrungs: [1]|rungs: [1] is not allowed; with load.stages there are no rungs",
        "name: a|name: a\\nphases: {steady: 3s}|phases.steady: '3s' is not allowed; with load.stages the stages are",
        "  stages:|  rate: {total: 1/s}\\n  stages:|load.rate: unknown key; known here: stages, stage_scale",
        "  requests:|  stage_scale: 0\\n  requests:|load.stage_scale: 0 is not allowed; what the length of each stage",
        "label: o|label: o, load: {message: 1KiB}|servers[1].load: {\"message\":\"1KiB\"} is not allowed; with load.stages every server gets",
        "label: o|label: o, client: wrk2|servers[1]: the client 'wrk2' cannot drive users in stages",
        "{name: web, label: o}|fake|servers[1]: 'fake' speaks tcp; users in stages (load.stages) ask over HTTP",
      })
  void saysWhatIsWrongAndWhatIsAllowed(String good, @Nullable String bad, String message) {
    assertThat(GOOD).contains(good);
    String text = GOOD.replace(good, bad == null ? "" : bad.replace("\\n", "\n"));
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(text));
    assertThat(refusal).isNotNull().hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "load.stage_scale=0|--set load.stage_scale=0: load.stage_scale: 0 is not allowed; what the length of each stage",
        "load.stage_scales=1|--set load.stage_scales=1: load.stage_scales: unknown key; known here: stages, stage_scale",
        "loads.x=1|--set loads.x=1: loads: unknown key; known here: name, question",
        "load.pause=5|--set load.pause=5: load.pause: 5 is not allowed; between the last answer",
        "load.pause=2h|--set load.pause=2h: load.pause: '2h' is outside the range; a time with its unit",
        "load.stages=[]|--set load.stages=[]: load.stages: [] is not allowed; a list of 1 to 100 stages",
        "load.stages[0].over=1|--set load.stages[0].over=1: load.stages[0].over: 1 is not allowed",
        "servers[0].name=nobody|there is no server 'nobody'",
      })
  void aBadSettingIsNamedAsSuch(String setting, String message) {
    assertThatThrownBy(() -> read(GOOD, setting)).isInstanceOf(Refusal.class).hasMessageContaining(message);
  }

  @Test
  void aClosedLoopNeedsUsersInStages() {
    String rated =
        """
        name: a
        question: What does this study ask, exactly?
        client: closed-loop
        servers: [web]
        rungs: [10]
        load: {rate: {total: 100/s}}
        phases: {steady: 2s}
        """;
    assertThatThrownBy(() -> read(rated))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("the client 'closed-loop' sends no messages at a rate");
    assertThat(read(rated, "client=open-loop", "phases.steady=3s").phases().steadyNs()).isEqualTo(3_000_000_000L);
  }
}
