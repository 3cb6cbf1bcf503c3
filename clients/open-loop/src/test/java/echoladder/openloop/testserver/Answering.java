package echoladder.openloop.testserver;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** When a message is answered. Asked once for each message, in the order of their arrival, by one thread. */
@FunctionalInterface
public interface Answering {
  /** The message is never answered. */
  long NEVER = Long.MAX_VALUE;

  /** The time (ns, monotonic) to answer a message that was completely read at {@code arrivedNs}; past = at once. */
  long dueNs(long arrivedNs);

  /** Each message as soon as it is read. */
  static Answering atOnce() {
    return arrivedNs -> arrivedNs;
  }

  /** Each message after the same time. */
  static Answering after(Duration delay) {
    return arrivedNs -> arrivedNs + delay.toNanos();
  }

  /** A share of the messages (0-1), drawn at random, after {@code slow}, the others after {@code fast}. */
  static Answering twoPoint(Duration fast, double slowShare, Duration slow, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return arrivedNs -> arrivedNs + (random.nextDouble() < slowShare ? slow : fast).toNanos();
  }

  /** At once, except that nothing is answered in the first {@code stall} of each {@code period}. */
  static Answering stalling(Duration stall, Duration period) {
    long startNs = System.nanoTime();
    return arrivedNs -> {
      long intoPeriodNs = (arrivedNs - startNs) % period.toNanos();
      return intoPeriodNs < stall.toNanos() ? arrivedNs - intoPeriodNs + stall.toNanos() : arrivedNs;
    };
  }

  /** At once, until told to stop; never from then on. */
  static Answering until(BooleanSupplier stopped) {
    return arrivedNs -> stopped.getAsBoolean() ? NEVER : arrivedNs;
  }
}
