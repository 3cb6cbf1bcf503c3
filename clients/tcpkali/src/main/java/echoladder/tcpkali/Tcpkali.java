package echoladder.tcpkali;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
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

  private Tcpkali() {}

  /**
   * Finds it and asks for its version.
   *
   * @param given where it is said to be; null = on the path
   * @throws MissingToolException where it is not there, is something else, or older than 1.2, which does not send times
   *     window by window
   */
  static Path find(SearchPath path, @Nullable Path given) throws IOException {
    Path program = path.program(List.of(NAME), given, PROJECT);
    Matcher version = VERSION.matcher(ToolProcess.answer(program, "--version"));
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
