package echoladder.openloop.shard;

import java.io.IOException;

/** Carries requests to a process that holds a shard of a load, and its replies. One thread at a time. */
public interface ShardLine extends AutoCloseable {
  /** How messages name the shard, e.g. {@code client shard, pid 17}. */
  String name();

  /**
   * Gives it one line and waits for its one line.
   *
   * @throws HostLostException where its host is gone
   * @throws IOException where the process is gone, or what it said is no line within the bound
   */
  String ask(String request) throws IOException;

  /** By how much CLOCK_MONOTONIC of its host is ahead of this host's. */
  default long clockAheadNs() {
    return 0;
  }

  /** Waits up to a minute for the end of a process that was asked to close, then ends it by force. */
  @Override
  void close();
}
