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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No class of an exception is part of a message: what failed is said by {@link echoladder.linux.ErrorText}. */
class ReasonsTest {
  private static final Path HOME = Path.of("..");

  /** An exception, or its cause, within a text; one that stands for its missing message; its class. */
  private static final Pattern CLASS_SAID =
      Pattern.compile(
          "\" \\+ e(\\.getCause\\(\\))?(\\)|;|,| \\+|$)|(?<![.\\w])e \\+ \"|String\\.valueOf\\(e(\\.getCause\\(\\))?\\)"
              + "|\\b(e|why)\\.toString\\(\\)|\\be\\.getClass\\(\\)|getMessage\\(\\) == null \\? \\w+ :"
              + "|\\.formatted\\([^)]*, e(\\.getCause\\(\\))?\\)\\)|(?i)jackson[^;]*\\be\\.getMessage\\(\\)");

  /** A defect's own report. */
  private static final String UNEXPECTED = "failed unexpectedly";

  @Test
  void messagesNameNoClass() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path sources : sources()) {
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(ReasonsTest::isSource).toList()) {
          Files.readAllLines(file).stream()
              .filter(line -> CLASS_SAID.matcher(line).find() && !line.contains(UNEXPECTED))
              .forEach(line -> found.add(HOME.relativize(file) + ": " + line.trim()));
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** {@code ErrorText} makes the words of the class itself. */
  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && !file.endsWith("ErrorText.java");
  }

  /** Sources of all that users run: the harness, the clients, the servers, the workloads and what they share. */
  private static List<Path> sources() throws IOException {
    List<Path> modules = new ArrayList<>(List.of(HOME.resolve("harness"), HOME.resolve("linux"), HOME.resolve("workloads")));
    for (String folder : List.of("clients", "servers")) {
      try (Stream<Path> within = Files.list(HOME.resolve(folder))) {
        modules.addAll(within.toList());
      }
    }
    List<Path> sources = modules.stream().map(module -> module.resolve("src/main/java")).filter(Files::isDirectory).sorted().toList();
    assertThat(sources).contains(HOME.resolve("servers/netty/src/main/java"), HOME.resolve("clients/open-loop/src/main/java"));
    return sources;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.err.println(\"it cannot be used: \" + e);", "throw new CannotRun(\"not counted: \" + e + \"; it needs JDK 25\", e);",
        "\"its connections: \" + e", "x.formatted(seconds, e.getMessage() == null ? e : e.getMessage())", "return text(status, e + \"\\n\");",
        "new IOException(\"it ended: \" + e.getCause(), e)", "quoted(why.toString())", "\"%s\".formatted(what, e))"
      })
  void aClassInAMessageIsFound(String line) {
    assertThat(CLASS_SAID.matcher(line).find()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throw new IOException(what + \" failed: \" + ErrorText.of(e), e);", "log.failure(\"could not run\", e);", "new IOException(\"no\", e)",
        "log.say(\"accept failed: \" + e.getMessage());", "\"a\" + made + \"b\""
      })
  void wordsAreNot(String line) {
    assertThat(CLASS_SAID.matcher(line).find()).isFalse();
  }
}
