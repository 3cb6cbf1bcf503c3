package echoladder.needs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The end of a build: one list of all the tests that were skipped, by what they lack, one of those that failed as expected, and one
 * of those that had to be tried again.
 */
public final class SkippedList {
  /** What the reason of a test begins with that failed, and had to: nothing is lacking, and no machine lets it pass. */
  public static final String EXPECTED_FAILURE = "fails as expected, ";

  private final Map<String, List<String>> testsByReason = new TreeMap<>();
  private final Map<String, List<String>> expectedByReason = new TreeMap<>();
  private final List<String> notAllowed = new ArrayList<>();

  private SkippedList() {}

  /**
   * Prints the list and ends with 0; with 1 where more is missing than may be.
   *
   * @param args the root of the build; then, where anything else ends the build, the ids of the needs that may be missing,
   *     with commas: {@code none} for none, {@code any} for all
   */
  public static void main(String[] args) throws IOException {
    SkippedList list = of(Path.of(args[0]), args[1].equals("any") ? null : List.of(args[1].split(",", -1)));
    SecondTries.of(Path.of(args[0])).print(System.out);
    list.print(System.out);
    System.exit(list.notAllowed.isEmpty() ? 0 : 1);
  }

  static SkippedList of(Path root, @Nullable List<String> allowed) throws IOException {
    SkippedList list = new SkippedList();
    for (Path file : files(root)) {
      for (String line : Files.readAllLines(file)) {
        Skip skip = Skip.parse(line);
        if (skip.reason().startsWith(EXPECTED_FAILURE)) {
          list.expectedByReason.computeIfAbsent(skip.reason(), _ -> new ArrayList<>()).add(skip.test());
          continue;
        }
        list.testsByReason.computeIfAbsent(skip.reason(), _ -> new ArrayList<>()).add(skip.test());
        if (allowed != null && !skip.onlyFor(allowed)) {
          list.notAllowed.add(skip.test());
        }
      }
    }
    return list;
  }

  /** Those of every module of the build, which lie one or two folders deep. */
  private static List<Path> files(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> folders = Files.walk(root, 2)) {
      for (Path folder : folders.filter(Files::isDirectory).map(module -> module.resolve(Skip.FOLDER)).toList()) {
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(Skip.ENDING)).sorted().forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  void print(PrintStream out) {
    if (!expectedByReason.isEmpty()) {
      out.println("failed as expected: " + count(expectedByReason)
          + " of the tests, for what a server.yaml says that its library cannot do");
      print(expectedByReason, out);
    }
    if (testsByReason.isEmpty()) {
      out.println("skipped: nothing, every test and every page of this build ran");
      return;
    }
    out.println("skipped: " + count(testsByReason) + " of the tests and pages, for what this machine lacks");
    print(testsByReason, out);
    if (!notAllowed.isEmpty()) {
      out.println("skipped: these may not be missing here: " + String.join(", ", notAllowed));
    }
  }

  private static int count(Map<String, List<String>> byReason) {
    return byReason.values().stream().mapToInt(List::size).sum();
  }

  private static void print(Map<String, List<String>> byReason, PrintStream out) {
    byReason.forEach(
        (reason, skipped) -> {
          out.println("- " + reason);
          skipped.stream().sorted().forEach(test -> out.println("    " + test));
        });
  }
}
