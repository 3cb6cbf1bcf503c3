package echoladder.harness.metric;

/**
 * What a figure is called, and what it is.
 *
 * @param label in tables and sentences: {@code RSS per connection}
 * @param brief above a narrow column
 * @param title above a plot
 * @param meaning one sentence, without the label
 */
public record Words(String label, String brief, String title, String meaning) {
  /** The label serves for all. */
  static Words of(String label, String meaning) {
    return new Words(label, label, Character.toUpperCase(label.charAt(0)) + label.substring(1), meaning);
  }

  Words brief(String other) {
    return new Words(label, other, title, meaning);
  }

  Words title(String other) {
    return new Words(label, brief, other, meaning);
  }
}
