package echoladder.harness.run;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.host.EchoCheck;
import echoladder.harness.host.PushCheck;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Readings;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The server of one rung: started for it, here or on another host, or somebody else's that is only looked at. */
public interface RungServer extends AutoCloseable {
  /** Where it accepts. */
  Target target();

  /** Its Prometheus page; null = it has none. */
  @Nullable URI metrics();

  /**
   * What it keeps alive after a collection that it is asked for; null where it has no page for that and need not have one.
   *
   * @throws IOException where it has no answer
   */
  @Nullable LiveHeap liveHeap() throws IOException;

  /**
   * Waits, within a bound, until it has no connection of the rung before left.
   *
   * @throws IOException where its page cannot be had
   */
  boolean empty(BooleanSupplier stop) throws IOException, InterruptedException;

  /**
   * Has one echo of it, so that a server which speaks something else is told by what it said.
   *
   * @param source address to connect from; null = the kernel's choice
   * @throws IOException that says what was wrong with it
   */
  default void check(Protocol protocol, @Nullable String source) throws IOException {
    EchoCheck.of(protocol, target(), source);
  }

  /**
   * Has one message pushed by it, so that a server which does not push is told by what it said.
   *
   * @param asked where it is subscribed to and published to, or upgrades to WebSocket
   * @param source address to connect from; null = the kernel's choice
   * @throws IOException that says what was wrong with it
   */
  default void checkPush(Protocol protocol, HttpAsk asked, @Nullable String source) throws IOException {
    PushCheck.of(protocol, asked, target(), source);
  }

  /** Whether it has held connections before it was opened, be it for others. */
  default boolean loadedBefore() {
    return false;
  }

  /** Its process; null = not ours to see. */
  @Nullable Long pid();

  /** Whether what its process has started belongs to it. */
  default boolean wholeTree() {
    return false;
  }

  /** Whether its process is on this host and ours to see. */
  default boolean here() {
    return pid() != null;
  }

  /** What was started and what it said; null = nothing was. */
  RungRecord.@Nullable Started started();

  /** What the probes read of it, of its host and of the clients. */
  Readings readings();

  /** Runs that when it ends, where its end can be seen. */
  void onEnd(Runnable action);

  /**
   * How it ended by itself; null where it did not, or where that cannot be seen.
   *
   * @param doubted whether the load lost it: its sockets go before its process does, so its end is then waited for shortly
   */
  @Nullable String ending(boolean doubted);

  /** What tells against the page being of the server that was loaded, by this run alone; empty where nothing does. */
  default List<String> mismatches(Loaded seen) {
    return List.of();
  }

  /**
   * A load that is over, as far as it tells whose page was read.
   *
   * @param ready the page before the first connect; null = it was not read
   * @param steadyEnd the page at the end of the steady state; null = it was not read
   * @param established connections that the client had
   * @param restart how the page shows that another process answers on it; empty = it does not
   */
  record Loaded(@Nullable Reading ready, @Nullable Reading steadyEnd, int established, String restart) {}

  /** Stops what was started; null where that ended by itself, else what had to be done. */
  @Nullable String stop();

  @Override
  void close();
}
