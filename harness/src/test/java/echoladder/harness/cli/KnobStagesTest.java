package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.report.KnobLine;
import echoladder.harness.report.TunedRuns;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
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
    Deque<RunFolder> folders = new ArrayDeque<>(List.of(climbed(6), climbed(12)));
    RunRecord screen = folders.getFirst().read();
    List<String> said = new ArrayList<>();
    KnobStages stages = new KnobStages(_ -> screen.study(), (_, _) -> new KnobStages.Climbed(0, folders.removeFirst()), said::add);
    assertThat(stages.run(screen.study(), Selection.ALL)).isZero();
    assertThat(folders).isEmpty();
    assertThat(said).containsExactly("1 of 1 knobs show something in the screen; they are measured again, 12 pairs each: cork");
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
    Study fresh = TunedRuns.of(12, TunedRuns::less, TunedRuns::same, _ -> {}).study();
    KnobStages stages =
        new KnobStages(
            _ -> fresh,
            (study, _) -> {
              boolean confirms = study.repeats() == 12;
              if (confirms) {
                written(second, study);
              }
              return new KnobStages.Climbed(0, confirms ? second : first);
            },
            _ -> {});
    assertThat(stages.run(screen.study(), Selection.ALL)).isZero();
    List<KnobLine> lines = KnobLine.of(second.read());
    assertThat(lines).extracting(line -> line.knob().name() + " " + line.verdict()).containsExactly("queue NEEDED", "cork HELPS");
    assertThat(lines.getFirst().evidence()).contains("listen_overflows 12 → 0");
    assertThat(RunSchema.complaints(Files.readString(second.file("run.json")))).isEmpty();
  }

  /** What climbing that study writes. */
  private static void written(RunFolder folder, Study study) {
    try {
      folder.write(
          TunedRuns.of(
              12, TunedRuns::less, TunedRuns::same,
              json -> ((ObjectNode) json.get("study")).set("tuned", JsonMapper.shared().valueToTree(study.tuned()))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
