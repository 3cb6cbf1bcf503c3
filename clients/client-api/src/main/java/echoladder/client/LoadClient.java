package echoladder.client;

import java.io.IOException;
import java.nio.file.Path;

/** A load tool. One instance serves one load at a time. */
public interface LoadClient {
  /** As used in study.yaml and results: {@code open-loop}, {@code tcpkali}, {@code wrk2}, {@code h2load}. */
  String name();

  /**
   * Applies the load and waits for its end. Everything started is stopped when this returns.
   *
   * @param plan what to do
   * @param histograms the interval log to write; appended second by second, so that a crash keeps what was measured
   * @param listener told of phases and progress
   * @return the result; a client process that died is a result too, with {@link ReasonCode#CLIENT_DIED}
   * @throws IOException where the tool could not be started at all
   */
  LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException;

  /**
   * Says whether it could apply a load on this host, and starts none. The target need not be there yet.
   *
   * @throws IOException where the tool is missing, or cannot do this load, or not here; the message says what to do
   */
  default void check(LoadPlan plan) throws IOException {}

  /**
   * Ends the load that runs, if one does, from any thread and without waiting: {@link #run} then returns what was
   * measured so far, marked {@link ReasonCode#INTERRUPTED}. A stop that comes before is forgotten, but by
   * {@link RememberedStop}.
   */
  void stop();
}
