package echoladder.harness.results;

import echoladder.harness.common.ProcText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts of one group by their names. What this host does not show is null, and beside it stands why. */
final class Facts {
  private final String group;
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
  private final Map<String, String> notShown;

  /** With {@code notShown} taking the reasons, by group and name with a dot between them. */
  Facts(String group, Map<String, String> notShown) {
    this.group = group;
    this.notShown = notShown;
  }

  /** A fact; null = {@code why}. */
  void put(String name, @Nullable Object value, String why) {
    values.put(name, value);
    if (value == null) {
      notShown.put(group + "." + name, why);
    }
  }

  /** What a file says, trimmed. */
  void file(String name, String path) {
    put(name, text(path), "cannot read " + path);
  }

  static @Nullable String text(String path) {
    String text = ProcText.read(path);
    return text == null ? null : text.trim();
  }

  Map<String, @Nullable Object> values() {
    return values;
  }
}
