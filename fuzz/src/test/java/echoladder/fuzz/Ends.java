package echoladder.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Holes;
import java.util.List;

/** How a target may end: with a result that has no holes, or with an error that was meant for somebody to read. */
public final class Ends {
  private Ends() {}

  /** An error of the kind that the target may end with: it says something, and is no other exception's text. */
  public static void said(Exception error) {
    assertThat(error.getMessage())
        .as("what %s says", error.getClass().getName())
        .isNotBlank()
        .doesNotContain("NullPointerException", "ClassCastException", "Cannot invoke \"");
  }

  /** A result of which every part is there. */
  public static void whole(Record result) {
    assertThat(Holes.first(result)).as("what is missing of %s", result.getClass().getSimpleName()).isNull();
  }

  /** Results of each of which every part is there. */
  public static void whole(List<? extends Record> results) {
    results.forEach(Ends::whole);
  }
}
