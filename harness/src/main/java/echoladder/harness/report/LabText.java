package echoladder.harness.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report says of a run that was made inside a lab, from the mark in its environment. */
final class LabText {
  private LabText() {}

  /** One paragraph, without markup; null = the run was made in no lab. */
  static @Nullable String of(Map<String, @Nullable Object> environment) {
    if (!(environment.get("lab") instanceof Map<?, ?> lab)) {
      return null;
    }
    return "made inside a lab (%s, kernel %s, %s of memory): it may be quoted for %s, not for %s"
        .formatted(
            lab.get("kind"), lab.get("kernel"), memory(lab.get("memory_bytes")),
            words(lab.get("may_claim")), words(lab.get("may_not_claim")));
  }

  private static String memory(@Nullable Object bytes) {
    return bytes instanceof Number number ? Units.bytes((Double) number.doubleValue()) : Units.NONE;
  }

  /** {@code failure_modes} is for programs, and CPU is no word. */
  private static String words(@Nullable Object claims) {
    if (!(claims instanceof List<?> list) || list.isEmpty()) {
      return "anything";
    }
    String all =
        list.stream()
            .map(claim -> claim.equals("cpu") ? "CPU" : String.valueOf(claim).replace('_', ' '))
            .collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return last < 0 ? all : all.substring(0, last) + " and " + all.substring(last + 2);
  }
}
