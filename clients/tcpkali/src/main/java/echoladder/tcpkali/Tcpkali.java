package echoladder.tcpkali;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The program itself: where it is, and whether it is one whose report is understood. */
final class Tcpkali {
  static final String NAME = "tcpkali";

  /** Its upstream project. */
  static final String PROJECT = "https://github.com/satori-com/tcpkali";

  private static final Pattern VERSION = Pattern.compile("tcpkali version (\\d+)\\.(\\d+)");
  private static final Duration ANSWER_MOST = Duration.ofSeconds(10);

  private Tcpkali() {}

  /**
   * Finds it and asks for its version.
   *
   * @param given where it is said to be; null = on the path
   * @throws MissingToolException where it is not there, is something else, or older than 1.2, which does not send times
   *     window by window
   */
  static Path find(SearchPath path, @Nullable Path given) throws IOException {
    Path program;
    if (given == null) {
      program = path.find(NAME).orElseThrow(() -> missing("it is not on PATH"));
    } else if (SearchPath.isProgram(given)) {
      program = given.toAbsolutePath();
    } else {
      throw missing(given + " is not a program");
    }
    String said;
    try (ToolProcess asked = ToolProcess.start(List.of(program.toString(), "--version"), 256, line -> {})) {
      ToolProcess.Ended answer = asked.await(ANSWER_MOST);
      said = answer.stdout() + answer.stderr();
    }
    Matcher version = VERSION.matcher(said);
    if (!version.find()) {
      throw missing(program + " --version does not answer as tcpkali does");
    }
    int major = Integer.parseInt(version.group(1));
    if (major < 1 || (major == 1 && Integer.parseInt(version.group(2)) < 2)) {
      throw missing(program + " is " + version.group() + " and 1.2 is needed");
    }
    return program;
  }

  private static MissingToolException missing(String seen) {
    return new MissingToolException(NAME, seen, PROJECT);
  }
}
