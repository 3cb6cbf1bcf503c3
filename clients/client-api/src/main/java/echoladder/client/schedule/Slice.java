package echoladder.client.schedule;

import java.util.stream.IntStream;

/**
 * The part of the load's connections that one event loop holds. Connection {@code g} of the load belongs to slice
 * {@code g mod slices}; connections of a slice are numbered from 0.
 *
 * @param index which slice, 0 to slices - 1
 * @param slices loops over all processes
 * @param connectionsInLoad of the whole load
 * @param activeInLoad how many of those send, 1 to connectionsInLoad; spread evenly
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
    return (g + 1) * activeInLoad / connectionsInLoad > g * activeInLoad / connectionsInLoad;
  }

  /** The number, from 0 over the whole load, of connection {@code c} of this slice among those that send; -1 where it does not. */
  public int sender(int c) {
    return active(c) ? (int) ((global(c) + 1L) * activeInLoad / connectionsInLoad) - 1 : -1;
  }

  /** The connections of this slice that send, in ascending order. */
  public int[] senders() {
    return IntStream.range(0, connections()).filter(this::active).toArray();
  }
}
