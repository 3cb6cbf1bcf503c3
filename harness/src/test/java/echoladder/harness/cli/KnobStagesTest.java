package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.TunedRuns;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
