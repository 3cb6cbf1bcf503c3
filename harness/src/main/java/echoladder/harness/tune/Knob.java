package echoladder.harness.tune;

import java.util.List;

/**
 * A line of a profile.
 *
 * @param key with dots, e.g. {@code net.core.somaxconn}
 * @param value as the kernel would print it
 * @param optional whether it stands with a minus before it: no error where this kernel has no such key
 * @param comments the comment lines right above it, without their {@code #}
 */
public record Knob(String key, String value, boolean optional, List<String> comments) {
  public Knob {
    value = Values.normal(key, value);
    comments = List.copyOf(comments);
  }
}
