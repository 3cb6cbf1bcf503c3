package echoladder.wrk2;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program itself. Its build calls it wrk, as the one that it descends from, so it is told apart by its options. */
final class Wrk2 {
  static final String NAME = "wrk2";

  /** Its upstream project. */
  static final String PROJECT = "https://github.com/giltene/wrk2";

  private static final Duration ANSWER_MOST = Duration.ofSeconds(10);

  private Wrk2() {}

  /**
   * Finds it, under its name or as {@code wrk}, and makes sure that it has a rate.
   *
   * @param given where it is said to be; null = on the path
   * @throws MissingToolException where it is not there, or is wrk
   */
  static Path find(SearchPath path, @Nullable Path given) throws IOException {
    Path program;
    if (given == null) {
      program = path.find(NAME).or(() -> path.find("wrk")).orElseThrow(() -> missing("it is not on PATH, nor is wrk"));
    } else if (SearchPath.isProgram(given)) {
      program = given.toAbsolutePath();
    } else {
      throw missing(given + " is not a program");
    }
    String said;
    try (ToolProcess asked = ToolProcess.start(List.of(program.toString(), "-v"), 256, line -> {})) {
      ToolProcess.Ended answer = asked.await(ANSWER_MOST);
      said = answer.stdout() + answer.stderr();
    }
    if (!said.contains("wrk")) {
      throw missing(program + " -v does not answer as wrk2 does");
    }
    if (!said.contains("--rate")) {
      throw missing(program + " is wrk, a closed loop without --rate");
    }
    return program;
  }

  private static MissingToolException missing(String seen) {
    return new MissingToolException(NAME, seen, PROJECT);
  }
}
