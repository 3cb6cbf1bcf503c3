package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No class of an exception is part of a message: what failed is said by {@link echoladder.linux.ErrorText}. */
class ReasonsTest {
  private static final Path HOME = Path.of("..");
  private static final Pattern CLASS_SAID =
      Pattern.compile("\" \\+ e(\\)|;| \\+)|\\be\\.toString\\(\\)|\\be\\.getClass\\(\\)|\\.formatted\\([^)]*, e\\)\\)|(?i)jackson[^;]*\\be\\.getMessage\\(\\)");

  /** A defect's own report. */
  private static final String UNEXPECTED = "failed unexpectedly";

  @Test
  void messagesNameNoClass() throws IOException {
    List<String> found = new ArrayList<>();
    for (String sources : List.of("harness", "clients/open-loop", "clients/client-api", "clients/external-tool", "clients/h2load", "clients/wrk2", "clients/tcpkali")) {
      try (Stream<Path> files = Files.walk(HOME.resolve(sources).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          Files.readAllLines(file).stream()
              .filter(line -> CLASS_SAID.matcher(line).find() && !line.contains(UNEXPECTED))
              .forEach(line -> found.add(HOME.relativize(file) + ": " + line.trim()));
        }
      }
    }
    assertThat(found).isEmpty();
  }
}
