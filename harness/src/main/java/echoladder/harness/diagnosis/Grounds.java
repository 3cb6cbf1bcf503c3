package echoladder.harness.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects the facts behind a limit, those that were seen. */
final class Grounds {
  private final List<String> facts = new ArrayList<>();

  Grounds plain(String fact) {
    facts.add(fact);
    return this;
  }

  /** With one number. */
  Grounds when(boolean so, String format, long number) {
    return so ? plain(String.format(Locale.ROOT, format, number)) : this;
  }

  /** Somebody's words; nothing where there are none. */
  Grounds quote(String who, @Nullable String words) {
    return words == null ? this : plain(who + ": \"" + words.strip() + "\"");
  }

  List<String> list() {
    return facts;
  }

  /** A number as facts say it. */
  static String count(long n) {
    return n == Long.MAX_VALUE ? "unlimited" : String.format(Locale.ROOT, "%,d", n);
  }
}
