package echoladder.client.schedule;

/** Reproducible random bits by number: the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a Weyl sequence. */
public final class Mix {
  public static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** 64 well mixed bits that depend on both numbers. */
  public static long of(long seed, long number) {
    return finish(finish(seed + GOLDEN) + number * GOLDEN);
  }

  /** A number from 0 to {@code below - 1} by these bits, each as likely. */
  public static int below(int below, long bits) {
    return (int) Math.multiplyHigh(bits >>> 1, (long) below << 1);
  }

  /** One step of a shuffle: one of the elements from {@code position} on, chosen by these bits, changes places with that there. */
  static void shuffleStep(int[] order, int position, long bits) {
    int chosen = position + below(order.length - position, bits);
    int taken = order[chosen];
    order[chosen] = order[position];
    order[position] = taken;
  }

  private static long finish(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
