package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Files that follow from the code, whole or in part. A test compares each with what the code says. With {@code -Dupdate=true} the test
 * writes the file anew, to be read before it is committed.
 */
public final class Derived {
  private Derived() {}

  /**
   * A page of the checkout has the parts that follow from the code.
   *
   * @param page below the checkout, e.g. {@code docs/METHOD.md}
   * @param asItShouldBe the page's text with those parts as the code says them
   */
  public static void follows(Class<?> test, String page, UnaryOperator<String> asItShouldBe) throws IOException {
    Path file = Checkout.find().root().resolve(page);
    follows(test, file, asItShouldBe.apply(Files.readString(file)));
  }

  /** A file is as the code says. */
  public static void follows(Class<?> test, Path file, String expected) throws IOException {
    if (Boolean.getBoolean("update")) {
      Files.writeString(file, expected);
    }
    String text = Files.exists(file) ? Files.readString(file) : "";
    if (!text.equals(expected)) {
      List<String> should = expected.lines().toList();
      List<String> is = text.lines().toList();
      throw new AssertionError(
          ("%s does not follow from the code. Lines that should be there: %s. Lines that should not: %s. To write it anew: mvn -o -q -pl"
              + " harness -am -Dtest=%s -Dupdate=true -Dsurefire.failIfNoSpecifiedTests=false test")
              .formatted(file, without(should, is), without(is, should), test.getSimpleName()));
    }
  }

  private static List<String> without(List<String> lines, List<String> others) {
    Set<String> known = Set.copyOf(others);
    return lines.stream().filter(line -> !known.contains(line)).toList();
  }

  /** The text with what stands between two markers replaced. */
  public static String between(String text, String begin, String end, String part) {
    int from = text.indexOf(begin);
    int to = text.indexOf(end, from);
    assertThat(from).as("'%s' stands in the text", begin).isNotNegative();
    assertThat(to).as("'%s' stands behind '%s'", end, begin).isNotNegative();
    return text.substring(0, from + begin.length()) + part + text.substring(to);
  }
}
