package echoladder.harness.metric;

import java.util.Locale;

/** In which direction a figure is better, with all else alike. */
public enum Better {
  LOWER,
  HIGHER,
  /** It says what was done, not how well. */
  NEITHER;

  /** As in a table. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
