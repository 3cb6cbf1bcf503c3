package echoladder.openloop;

/** Reproducible random bits by number: the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a Weyl sequence. */
final class Mix {
  static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** 64 well mixed bits that depend on both numbers. */
  static long of(long seed, long number) {
    return finish(finish(seed + GOLDEN) + number * GOLDEN);
  }

  private static long finish(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
