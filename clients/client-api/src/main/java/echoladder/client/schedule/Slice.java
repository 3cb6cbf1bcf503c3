package echoladder.client.schedule;

import java.util.stream.IntStream;

/**
 * The part of the load's connections that one event loop holds. Connection {@code g} of the load belongs to slice
 * {@code g mod slices}; connections of a slice are numbered from 0.
 *
 * @param index which slice, 0 to slices - 1
 * @param slices loops over all processes
 * @param connectionsInLoad of the whole load
 * @param activeInLoad how many of those send, 1 to connectionsInLoad: the load is cut into as many equal
 *     blocks, and one connection of each sends, by a hash of the block's number
 */
public record Slice(int index, int slices, int connectionsInLoad, int activeInLoad) {

  /** Connections of this slice. */
  public int connections() {
    return (int) (((long) connectionsInLoad - index + slices - 1) / slices);
  }

  /** Number in the whole load of connection {@code c} of this slice. */
  public int global(int c) {
    return c * slices + index;
  }

  /** Whether connection {@code c} of this slice sends. */
  boolean active(int c) {
    long g = global(c);
    long block = block(g);
    long first = firstOf(block);
    // A fixed place in each block would choose connections of one parity, which servers that deal them out in turn hold on one event loop.
    return g == first + Mix.below((int) (firstOf(block + 1) - first), Mix.of(0, block));
  }

  /** The number, from 0 over the whole load, of connection {@code c} of this slice among those that send; -1 where it does not. */
  public int sender(int c) {
    return active(c) ? (int) block(global(c)) : -1;
  }

  /** Which block of the load holds connection {@code g}: there are as many as connections that send. */
  private long block(long g) {
    return g * activeInLoad / connectionsInLoad;
  }

  private long firstOf(long block) {
    return Math.ceilDiv(block * connectionsInLoad, activeInLoad);
  }

  /** The connections of this slice that send, in ascending order. */
  public int[] senders() {
    return IntStream.range(0, connections()).filter(this::active).toArray();
  }
}
