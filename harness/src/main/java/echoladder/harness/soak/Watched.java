package echoladder.harness.soak;

import echoladder.harness.metric.Unit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What must not grow while the load stays the same. The share is room for what breathes, the rest for what a runtime does once: a
 * thread of its own, a page of compiled code. With 1,000 connections some 30 come and go each second, visits included: a leak of
 * 100 bytes for each outgrows the bound of a live heap of up to 40 MiB within an hour.
 */
public enum Watched {
  /** Open descriptors: a connection that is never closed. */
  DESCRIPTORS("open descriptors", Unit.COUNT, 0.05, 16, SoakSample::descriptors),
  /** Threads: a handler that never ends. */
  THREADS("threads", Unit.COUNT, 0.05, 8, SoakSample::threads),
  /** All memory of the process. */
  RSS_BYTES("resident memory", Unit.BYTES, 0.10, 32L << 20, SoakSample::rssBytes),
  /** What is still reachable. */
  LIVE_HEAP_BYTES("live heap", Unit.BYTES, 0.10, 4L << 20, SoakSample::liveHeapBytes),
  /** Buffers that nobody gives back. */
  DIRECT_BYTES("direct memory", Unit.BYTES, 0.10, 4L << 20, SoakSample::directBytes),
  /** Sockets that the kernel still holds; files that others open on the host are among them. */
  SOCKET_SLAB_BYTES("kernel memory of sockets", Unit.BYTES, 0.20, 32L << 20, SoakSample::socketSlabBytes);

  private final String words;
  private final Unit unit;
  private final double share;
  private final long room;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a record's accessor
  private final Function<SoakSample, @Nullable Long> of;

  Watched(String words, Unit unit, double share, long room, Function<SoakSample, @Nullable Long> of) {
    this.words = words;
    this.unit = unit;
    this.share = share;
    this.room = room;
    this.of = of;
  }

  /** What it is called. */
  public String words() {
    return words;
  }

  /** What it is in. */
  public Unit unit() {
    return unit;
  }

  /** A sample's value; null where it has none. */
  public @Nullable Long of(SoakSample sample) {
    return of.apply(sample);
  }

  /** What it may be at the end after that beginning. */
  double bound(double start) {
    return start * (1 + share) + room;
  }
}
