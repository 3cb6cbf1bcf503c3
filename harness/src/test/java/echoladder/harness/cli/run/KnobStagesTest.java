package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.report.table.KnobLine;
import echoladder.harness.report.table.TunedRuns;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The stages of a study of knobs, by runs that were climbed before. */
class KnobStagesTest {
  @TempDir private Path dir;

  private RunFolder climbed(int pairs) throws IOException {
    RunFolder folder = new RunFolder(Files.createDirectory(dir.resolve("pairs-" + pairs)));
    folder.write(TunedRuns.of(pairs, TunedRuns::less, TunedRuns::same, json -> {}));
    return folder;
  }

  /** Under --quiet that is nobody. */
  @Test
  void whatComesNextIsSaidToWhoeverIsToldOfTheRunAlone() throws IOException {
    Deque<RunFolder> folders = new ArrayDeque<>(List.of(climbed(6), climbed(13)));
    RunRecord screen = folders.getFirst().read();
    KnobStages stages = new KnobStages(_ -> screen.study(), (_, _) -> new KnobStages.Climbed(0, folders.removeFirst()), said::add);
    assertThat(stages.run(screen.study(), Selection.ALL)).isZero();
    assertThat(folders).isEmpty();
    assertThat(said)
        .containsExactly(
            "1 of 1 knobs show something in the screen; they are measured again, 13 pairs each, of which at least 12 have to be valid: cork",
            "nothing more is measured: there is no level beyond the profile's for cork");
  }

  @Test
  void thatNothingComesNextIsSaidWithItsReason() {
    StudyReader reader = reader(ROWS);
    assertThat(stages(reader, (_, repeat) -> TunedRuns.either(repeat)).run(reader.read("t", asked), asked)).isZero();
    assertThat(said).containsExactly("the screen leaves no knob to be measured again");
    said.clear();
    // Climbed for the second time, in the run that confirms.
    BiFunction<String, Integer, Double> screenAlone = (_, repeat) -> climbed.size() == 1 ? TunedRuns.less(repeat) : TunedRuns.either(repeat);
    stages(reader, screenAlone).run(reader.read("t", asked), asked);
    assertThat(said).last().isEqualTo("no knob is confirmed, so nothing more is measured");
  }

  /** Without it the connections are not held: what the screen showed so is not measured again, and is in the table all the same. */
  @Test
  void aKnobThatTheScreenShowsToBeNeededIsNeededInTheTableOfTheConfirmingRunToo() throws IOException {
    RunRecord screen =
        TunedRuns.of(
            6, TunedRuns::less, TunedRuns::same,
            json -> {
              TunedRuns.another(json, "queue");
              TunedRuns.needed(json, "queue");
            });
    RunFolder first = new RunFolder(Files.createDirectory(dir.resolve("screen")));
    first.write(screen);
    RunFolder second = new RunFolder(Files.createDirectory(dir.resolve("confirm")));
    Study fresh = TunedRuns.of(13, TunedRuns::less, TunedRuns::same, _ -> {}).study();
    KnobStages stages =
        new KnobStages(
            _ -> fresh,
            (study, _) -> {
              boolean confirms = study.repeats() == 13;
              if (confirms) {
                written(second, study);
              }
              return new KnobStages.Climbed(0, confirms ? second : first);
            },
            _ -> {});
    assertThat(stages.run(screen.study(), Selection.ALL)).isZero();
    List<KnobLine> lines = KnobLine.of(second.read());
    assertThat(lines).extracting(line -> line.knob().name() + " " + line.conclusion()).containsExactly("queue NEEDED", "cork HELPS");
    assertThat(lines.getFirst().evidence()).contains("listen_overflows 12 → 0");
    assertThat(RunSchema.complaints(Files.readString(second.file("run.json")))).isEmpty();
  }

  /** What climbing that study writes. */
  private static void written(RunFolder folder, Study study) {
    try {
      folder.write(
          TunedRuns.of(
              13, TunedRuns::less, TunedRuns::same,
              json -> ((ObjectNode) json.get("study")).set("tuned", RunFolder.tree(study.tuned()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String STUDY =
      """
      name: t
      question: What does each knob do?
      servers: [fake]
      tuning: {}
      rungs: [1000]
      repeats: 6
      load: {rate: {total: 100/s}}
      phases: {steady: 1s}
      """;

  private static final String ROWS =
      """
      knobs:
        - {name: level, kind: option, key: level, servers: [fake], scope: server, phases: [steady], default: '3', profile: '5', beyond: '9',
           lifts: a bound, stands: '3', counter: none of the kernel, costs: nothing}
        - {name: cork, kind: sysctl, key: net.ipv4.tcp_autocorking, scope: namespace, phases: [steady], default: '1', profile: '0',
           lifts: small writes, stands: '1', counter: nstat, costs: more packets}
        - {name: demux, kind: sysctl, key: net.ipv4.tcp_early_demux, scope: namespace, phases: [steady], default: '1', profile: '0',
           lifts: a look-up, stands: '1', counter: none of it, costs: a look-up}
      """;

  private final List<RunFolder> climbed = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final Selection asked = new Selection(null, List.of("fake"), List.of());

  private StudyReader reader(String rows) {
    TestCheckout checkout = new TestCheckout(dir).study("t", STUDY).write("sysctl/knobs.yaml", rows);
    return new StudyReader(checkout.checkout(), checkout.servers());
  }

  /** Studies that are really read for each stage: only what each run writes is made up. */
  private KnobStages stages(StudyReader reader, BiFunction<String, Integer, Double> factor) {
    return new KnobStages(
        selection -> reader.read("t", selection),
        (study, _) -> {
          RunFolder folder = new RunFolder(dir.resolve("stage-" + climbed.size()));
          wrote(folder, study, factor, climbed.size());
          climbed.add(folder);
          return new KnobStages.Climbed(0, folder);
        },
        said::add);
  }

  /** One command. */
  @Test
  void fromTheScreenToTheLastStageEachFollowsFromTheOneBefore() {
    StudyReader reader = reader(ROWS);
    assertThat(stages(reader, KnobStagesTest::factor).run(reader.read("t", asked), asked)).isZero();
    assertThat(climbed.stream().map(KnobStagesTest::told))
        .containsExactly(
            "6: level SCREENED, cork SCREENED, demux NO_DIFFERENCE_SHOWN",
            "13: level HELPS, cork HARMS, demux NO_DIFFERENCE_SHOWN",
            "12: level HELPS, cork HARMS",
            "12: level HELPS");
    assertThat(climbed.get(1).read().study().servers()).extracting(Study.Entry::label)
        .containsExactly("fake-level-profile", "fake-level-default", "fake-cork-profile", "fake-cork-default");
    assertThat(climbed.get(3).read().study().entry("fake-level-beyond").orElseThrow().options()).containsEntry("level", "9");
    Study.Entry less = climbed.get(2).read().study().entry("fake-level-less").orElseThrow();
    assertThat(less.options()).containsEntry("level", "3");
    assertThat(less.settings().sysctl()).isEqualTo(Map.of("net.ipv4.tcp_autocorking", "0"));
    assertThat(KnobLine.of(climbed.get(1).read()).getLast().effects().getFirst().pairs()).isEqualTo(6);
  }

  /** As after an interruption: what comes after a stage follows from its record, and is the same as in one go. */
  @Test
  void theChainGoesOnFromWhicheverStageWasResumed() throws IOException {
    StudyReader reader = reader(ROWS);
    KnobStages stages = stages(reader, KnobStagesTest::factor);
    stages.run(reader.read("t", asked), asked);
    List<RunFolder> atOnce = List.copyOf(climbed);
    List<String> told = atOnce.stream().map(KnobStagesTest::told).toList();
    for (int stage = 0; stage < atOnce.size(); stage++) {
      RunRecord run = atOnce.get(stage).read();
      assertThat(KnobStages.goesOn(run)).isEqualTo(stage < 3);
      climbed.subList(atOnce.size(), climbed.size()).clear();
      assertThat(stages.after(new KnobStages.Climbed(1, atOnce.get(stage)), asked)).as("the worst status").isEqualTo(1);
      assertThat(climbed.stream().skip(atOnce.size()).map(KnobStagesTest::told)).isEqualTo(told.subList(stage + 1, told.size()));
      assertThat(KnobStages.begunAfter(atOnce.get(stage), run).map(RunFolder::dir))
          .isEqualTo(stage < 3 ? Optional.of(atOnce.get(stage + 1).dir().toAbsolutePath()) : Optional.empty());
    }
  }

  /** What comes after a resumed run is begun as the run was: with the same server and the same settings. */
  @Test
  void theCommandThatBeganARunIsTakenAgain() {
    Selection began = asked.with(List.of(YamlSetting.parse("load.idle=poll"), YamlSetting.parse("tuning.knobs=[a, b]")));
    Selection again = Beginning.by("./ladder run t" + began.asOptions() + " --wait-quiet 30m --on-this-host").selection();
    assertThat(again).isEqualTo(began);
    assertThatThrownBy(() -> Beginning.by("./ladder run t --no-such-option")).isInstanceOf(Refusal.class).hasMessageContaining("no-such-option");
  }

  @Test
  void aComparisonThatTheUserChoseIsClimbedAlone() {
    StudyReader reader = reader(ROWS);
    Selection less = asked.with(List.of(YamlSetting.parse("tuning.compare=less-all"), YamlSetting.parse("repeats=12")));
    assertThat(stages(reader, KnobStagesTest::factor).run(reader.read("t", less), less)).isZero();
    assertThat(climbed).hasSize(1);
  }

  /** Without a bound nobody knows how long one server takes. The others stay in the table, as what the screen shows. */
  @Test
  void ofManyThatShowSomethingThoseThatShowMostAreMeasuredAgain() {
    StringBuilder rows = new StringBuilder("knobs:\n");
    for (int i = 1; i <= 6; i++) {
      rows.append(
          """
            - {name: knob-%d, kind: sysctl, key: net.ipv4.test_%d, scope: namespace, phases: [steady], default: '1', profile: '0',
               lifts: it, stands: '1', counter: nstat, costs: nothing}
          """
              .formatted(i, i));
    }
    StudyReader reader = reader(rows.toString());
    BiFunction<String, Integer, Double> factor = (name, repeat) -> 1 - 0.05 * Integer.parseInt(name.substring(5)) + repeat / 1000.0;
    assertThat(stages(reader, factor).run(reader.read("t", asked), asked)).isZero();
    assertThat(told(climbed.get(1)))
        .isEqualTo("13: knob-1 SCREENED, knob-2 SCREENED, knob-3 HELPS, knob-4 HELPS, knob-5 HELPS, knob-6 HELPS");
    assertThat(said.get(0)).contains("6 of 6 knobs show something in the screen; the 4 that show most are measured again");
    assertThat(said.get(1)).isEqualTo("the others, for another time: --knobs knob-1,knob-2 --set repeats=13");
  }

  /** The level takes a tenth less, the second knob a tenth more, the third now less and now more. */
  private static double factor(String knob, int repeat) {
    return knob.equals("level") ? TunedRuns.less(repeat) : knob.equals("cork") ? TunedRuns.more(repeat) : TunedRuns.either(repeat);
  }

  private static void wrote(RunFolder folder, Study study, BiFunction<String, Integer, Double> factor, int minute) {
    try {
      Files.createDirectories(folder.dir());
      RunRecord run = TunedRuns.climbed(study, (knob, repeat) -> 20 * (knob.changed() ? factor.apply(knob.name(), repeat) : 1));
      ObjectNode tree = (ObjectNode) RunFolder.tree(run);
      tree.put("started_at", "2026-01-01T00:%02d:00Z".formatted(minute));
      folder.write(RunFolder.parse(tree.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String told(RunFolder run) {
    return run.read().study().repeats() + ": "
        + KnobLine.of(run.read()).stream().map(line -> line.knob().name() + " " + line.conclusion()).collect(Collectors.joining(", "));
  }
}
