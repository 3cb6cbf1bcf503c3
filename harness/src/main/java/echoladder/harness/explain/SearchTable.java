package echoladder.harness.explain;

import java.util.List;
import java.util.Map;

/**
 * All that {@link Explainer} knows but this host's numbers, for a page that explains by a script of its own. The script's arithmetic
 * is that of {@link Likeness} and {@link Explainer}.
 */
public final class SearchTable {
  private SearchTable() {}

  /**
   * A cause as the script reads it.
   *
   * @param walls numbers at which it is known to stop a server
   */
  record Row(
      String id, String page, String means, String show, String lift, List<String> texts, List<String> words,
      List<Walls.Known> walls) {}

  /** The table, made of lists, maps and records. */
  public static Map<String, Object> of(List<Topic> topics) {
    List<Row> rows =
        topics.stream()
            .map(of -> new Row(
                of.id(), of.page(), of.means(), of.show(), of.lift(), of.allTexts(), of.words(), Walls.known(of)))
            .toList();
    return Map.of("topics", rows, "rules", Wording.rules());
  }
}
