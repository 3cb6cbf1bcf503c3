package echoladder.harness.incident;

import echoladder.harness.doctor.Limit;
import org.jspecify.annotations.Nullable;

/** Amounts as people read them. */
final class Amounts {
  static final long ANY = Limit.ANY;

  private Amounts() {}

  /** {@code 28,232}, {@code unlimited}, or {@code -} where it is not known. */
  static String count(@Nullable Long n) {
    return Limit.count(n);
  }

  /** {@code 512 B}, {@code 96 KiB}, {@code 1,024 MiB}. */
  static String bytes(@Nullable Long n) {
    return n == null || n == ANY
        ? count(n)
        : n < 10 << 10 ? count(n) + " B" : n < 10 << 20 ? count(n >> 10) + " KiB" : count(n >> 20) + " MiB";
  }

  static String of(String unit, @Nullable Long n) {
    return unit.equals("bytes") ? bytes(n) : count(n);
  }
}
