package echoladder.needs;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.opentest4j.TestAbortedException;

/** What is missing of several needs. */
public final class Lacks {
  /** In a proof with hidden programs: the ids of the needs that are asked for; what has none of them is left out. */
  static final String ASKED = "echoladder.needs.asked";

  static final String NOT_ASKED = "not asked for";

  private Lacks() {}

  /** Says all that is missing; empty where nothing is. */
  static String missing(Collection<Need> needs) {
    return needs.stream().map(Need::lack).filter(lack -> !lack.isEmpty()).collect(Collectors.joining("; "));
  }

  /**
   * Skips the test that runs, where one of its needs is missing.
   *
   * @throws TestAbortedException there
   */
  public static void skip(Collection<Need> needs) {
    List<String> asked = List.of(System.getProperty(ASKED, "").split(",", -1));
    if (System.getProperty(ASKED) != null && needs.stream().noneMatch(need -> asked.contains(need.id()))) {
      throw new TestAbortedException(NOT_ASKED);
    }
    String missing = missing(needs);
    if (!missing.isEmpty()) {
      throw new TestAbortedException(missing);
    }
  }

  /**
   * What to throw where a test has found that its machine lacks something for which nobody can look beforehand: the test is skipped.
   *
   * @param seen by which it shows
   */
  public static TestAbortedException found(Need need, String seen) {
    return new TestAbortedException(need.lack(seen));
  }
}
