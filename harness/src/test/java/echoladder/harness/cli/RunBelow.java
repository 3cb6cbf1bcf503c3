package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The run that a test has made, below its folder of results. */
final class RunBelow {
  private RunBelow() {}

  /** The folder of the run of that study. */
  static Path folder(Path results, String study) throws IOException {
    try (Stream<Path> runs = Files.list(results.resolve(study))) {
      return runs.findFirst().orElseThrow();
    }
  }

  /** What the run of that study recorded, by the schema. */
  static RunRecord record(Path results, String study) throws IOException {
    return record(folder(results, study));
  }

  /** What the run in that folder recorded, by the schema. */
  static RunRecord record(Path folder) throws IOException {
    String json = Files.readString(folder.resolve("run.json"));
    assertThat(RunSchema.complaints(json)).isEmpty();
    return RunFolder.parse(json);
  }
}
