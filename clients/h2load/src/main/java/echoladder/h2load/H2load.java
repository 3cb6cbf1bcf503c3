package echoladder.h2load;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program itself: where it is, and whether it is one that keeps a rate and a log. */
final class H2load {
  static final String NAME = "h2load";

  /** Its upstream project, and the package that has it. */
  static final String PROJECT = "https://nghttp2.org (Debian, Ubuntu: the package nghttp2-client)";

  private static final List<String> NEEDED = List.of("--rps", "--log-file", "--warm-up-time");

  private H2load() {}

  /**
   * Finds it and makes sure that it has what its driver asks of it.
   *
   * @param given where it is said to be; null = on the path
   * @throws MissingToolException where it is not there, is something else, or too old
   */
  static Path find(SearchPath path, @Nullable Path given) throws IOException {
    Path program = path.program(List.of(NAME), given, PROJECT);
    String said = ToolProcess.answer(program, "--help");
    for (String option : NEEDED) {
      if (!said.contains(option + "=")) {
        throw new MissingToolException(NAME, program + " --help names no " + option, PROJECT);
      }
    }
    return program;
  }
}
