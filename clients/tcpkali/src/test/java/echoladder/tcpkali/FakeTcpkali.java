package echoladder.tcpkali;


import echoladder.external.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * A script in the place of tcpkali: it opens real connections and holds them, and says by statsd and in its report what
 * it is told to say, true or not.
 */
final class FakeTcpkali {
  /** Connections that it opens, of those it is asked for: all of them. */
  static final String ALL = "$connections";

  /** With its placeholders; the tests of the harness put it on their path too. */
  private static final Path SCRIPT = Path.of("src/test/resources/fake-tcpkali.sh");

  private FakeTcpkali() {}

  /**
   * Puts it on a path of its own.
   *
   * @param bytes that it says it sent and received in each quarter of a second
   * @param changes of its other parts: VERSION, FIRST (before it connects), OPENED, LAST (each quarter)
   */
  static SearchPath on(Path folder, int bytes, Map<String, String> changes) throws IOException {
    String script =
        Files.readString(SCRIPT)
            .replace("@BYTES@", Integer.toString(bytes))
            .replace("@VERSION@", changes.getOrDefault("VERSION", "tcpkali version 1.2.0 (libev, ssl)"))
            .replace("@FIRST@", changes.getOrDefault("FIRST", ""))
            .replace("@OPENED@", changes.getOrDefault("OPENED", ALL))
            .replace("@LAST@", changes.getOrDefault("LAST", ""));
    Path program = folder.resolve("tcpkali");
    Files.writeString(program, script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-x------"));
    return new SearchPath(folder.toString());
  }
}
