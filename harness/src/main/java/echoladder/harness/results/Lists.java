package echoladder.harness.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists that older records do not have. */
final class Lists {
  private Lists() {}

  /** That list, which cannot be changed; an empty one where the record has none. */
  static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }
}
