package echoladder.harness.tune;

import org.jspecify.annotations.Nullable;

/**
 * What a profile asks of a setting, and how that stands.
 *
 * @param knob what is asked
 * @param present the value now; null = this kernel, or this network namespace, does not show the key
 * @param target what it would be set to: the profile's value, or more where more is there already
 */
public record Change(Knob knob, @Nullable String present, String target) {

  /** How a setting stands to its knob. */
  public enum Standing {
    EQUAL("as in the profile"),
    HIGHER("higher already: kept"),
    DIFFERENT("apply would set it"),
    ABSENT("no such key in this kernel or network namespace"),
    ABSENT_AS_ALLOWED("no such key: skipped, as the profile allows");

    /** For tables. */
    public final String words;

    Standing(String words) {
      this.words = words;
    }
  }

  /** How it stands. */
  public Standing standing() {
    if (present == null) {
      return knob.optional() ? Standing.ABSENT_AS_ALLOWED : Standing.ABSENT;
    }
    if (present.equals(knob.value())) {
      return Standing.EQUAL;
    }
    return present.equals(target) ? Standing.HIGHER : Standing.DIFFERENT;
  }

  /** Whether what the knob lifts is lifted. */
  public boolean satisfied() {
    return switch (standing()) {
      case EQUAL, HIGHER, ABSENT_AS_ALLOWED -> true;
      case DIFFERENT, ABSENT -> false;
    };
  }
}
