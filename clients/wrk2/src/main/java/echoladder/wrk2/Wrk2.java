package echoladder.wrk2;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program itself. Its build calls it wrk, as the one that it descends from, so it is told apart by its options. */
final class Wrk2 {
  static final String NAME = "wrk2";

  /** The names of the program: that of its users, and that of its build. */
  static final List<String> PROGRAMS = List.of(NAME, "wrk");

  /** Its upstream project. */
  static final String PROJECT = "https://github.com/giltene/wrk2";

  private Wrk2() {}

  /**
   * Finds it and makes sure that it has a rate.
   *
   * @param given where it is said to be; null = on the path
   * @throws MissingToolException where it is not there, or is wrk
   */
  static Path find(SearchPath path, @Nullable Path given) throws IOException {
    Path program = path.program(PROGRAMS, given, PROJECT);
    String said = ToolProcess.answer(program, "-v");
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
