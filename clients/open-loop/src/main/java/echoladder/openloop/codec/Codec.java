package echoladder.openloop.codec;

import echoladder.client.LoadPlan;
import echoladder.client.schedule.Mix;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What is spoken on a connection: how a message becomes bytes, and how bytes become its answer. Keeps what it must
 * know per connection in flat arrays. Belongs to one event loop.
 */
public interface Codec {
  /** What a plan speaks on the connections of one event loop. */
  static Codec of(LoadPlan plan, Slice slice, Failures failures) {
    return switch (plan.protocol()) {
      case TCP ->
          plan.publish() == null
              ? new TcpCodec(slice.connections(), plan.messageBytes())
              : new PushCodec(plan, plan.publish(), slice, failures);
      case HTTP ->
          plan.publish() == null
              ? new HttpCodec(slice.connections(), HttpExchange.of(plan), failures)
              : new EventStreamCodec(plan, plan.publish(), slice, failures);
      case WEBSOCKET -> {
        long seed = Mix.of(plan.seed(), slice.index());
        Upgrades upgrades = new Upgrades(plan.http().path(), plan.targets().getFirst().toString(), seed, failures);
        yield plan.publish() == null
            ? new WebSocketCodec(slice.connections(), plan.messageBytes(), upgrades, seed, failures)
            : plan.http().pushesText(plan.protocol())
                ? new TextSocketCodec(plan, plan.publish(), slice, upgrades, seed, failures)
                : new PushSocketCodec(plan, plan.publish(), slice, upgrades, seed, failures);
      }
    };
  }

  /** Bytes of one request; the same for every message of a connection. */
  int requestBytes(int connection);

  /** Puts bytes {@code from} to {@code from + bytes} of the request for the message with this key at 0 of out. */
  void request(MemorySegment out, int connection, long key, int from, int bytes);

  /**
   * Takes bytes of the answer to a connection's oldest unanswered message: up to the end of that answer, or all.
   *
   * @param connection number within the loop
   * @param key of that message
   * @param in the bytes received, from {@code from} to before {@code to}; at least one
   * @return the position after the last byte taken, above {@code from}
   */
  int take(int connection, long key, MemorySegment in, int from, int to);

  /** Whether the last {@link #take} ended an answer. */
  boolean complete();

  /** Forgets the answer that a connection was in, as another connection takes its place. */
  void restart(int connection);

  /** Whether the end of the connection, by FIN, ends the answer that was being taken. */
  boolean endedBy(int connection);

  /** What the answer was that the last {@link #take} or {@link #endedBy} ended. */
  Answer answer();

  /** Bytes that are to be sent before the next request and belong to none: an upgrade, the answer to a ping; 0 = none. */
  default int ownBytes(int connection) {
    return 0;
  }

  /** Puts them at 0 of out. */
  default void own(int connection, MemorySegment out) {}

  /** So many of them were sent. */
  default void ownSent(int connection, int bytes) {}

  /** Whether requests may be sent; else what the server says comes first. */
  default boolean open(int connection) {
    return true;
  }

  /** Whether bytes that came while no request was under way may be of use, so that {@link #take} is to look at them. */
  default boolean speaksUnasked(int connection, MemorySegment in, int from, int to) {
    return false;
  }

  /** The message that the last {@link #take} ended and that answers nothing, as the server pushes; null = it ended none. */
  default @Nullable Delivery delivery() {
    return null;
  }

  /** Whether a connection would read its answer, were it asked for one more echo. */
  default boolean reads(int connection) {
    return true;
  }

  /** Whether an answer may be complete before its request was sent whole. */
  default boolean answersEarly() {
    return false;
  }

  /** Whether the server said, with the answer that the last {@link #take} ended, that it closes the connection behind it. */
  default boolean closes() {
    return false;
  }

  /** What of an answer has come on a connection, and why it is not its end, as words; null = nothing has come. */
  @Nullable String unended(int connection);

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
