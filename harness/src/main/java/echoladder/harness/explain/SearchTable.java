package echoladder.harness.explain;

import java.util.List;
import java.util.Map;

/**
 * All that {@link Explainer} knows but this host's numbers, for a page that explains by a script of its own. The script's arithmetic
 * is that of {@link Likeness} and {@link Explainer}. As JSON it is the same bytes in every JVM.
 *
 * @param topics the causes
 * @param rules by which words and numbers are found, in the order of their names
 */
public record SearchTable(List<Row> topics, Map<String, Object> rules) {
  /**
   * A cause as the script reads it.
   *
   * @param walls numbers at which it is known to stop a server
   */
  record Row(
      String id, String page, String means, String show, String lift, List<String> texts, List<String> words,
      List<Walls.Known> walls) {}

  /** The table for these causes. */
  public static SearchTable of(List<Topic> topics) {
    List<Row> rows =
        topics.stream()
            .map(of -> new Row(
                of.id(), of.page(), of.means(), of.show(), of.lift(), of.allTexts(), of.words(), Walls.known(of)))
            .toList();
    return new SearchTable(rows, Wording.rules());
  }
}
