package echoladder.openloop.codec;

import echoladder.client.LoadPlan;
import java.lang.foreign.MemorySegment;

/** What is asked over HTTP on each connection, and which body is the right answer. Belongs to one event loop. */
public interface HttpExchange {
  /** What a plan over HTTP asks for. */
  static HttpExchange of(LoadPlan plan) {
    String authority = plan.targets().getFirst().toString();
    if (plan.staged() != null) {
      return new GetTalk(plan.staged().requests(), authority);
    }
    return plan.http().request() == null
        ? new EchoTalk(plan.messageBytes(), plan.http(), authority)
        : new RequestTalk(plan.http());
  }

  /** Bytes of a request on that connection; the same for each of its messages. */
  int requestBytes(int connection);

  /** Puts bytes {@code from} to {@code from + bytes} of the request for the message with this key at 0 of out. */
  void request(MemorySegment out, int connection, long key, int from, int bytes);

  /** Whether {@code bytes} bytes at {@code at} may stand at {@code offset} of the body that answers that message. */
  boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes);

  /** Whether a body of that length, of which every byte matched, is all of the answer. */
  boolean whole(int connection, int bytes);

  /** Bytes of the longest body that is taken to its end, whatever its status: one that has more is no answer. */
  default int mostBodyBytes() {
    return Integer.MAX_VALUE;
  }

  /** The status of a right answer. */
  int status();

  /** Whether an answer with that status is right. */
  default boolean right(int status) {
    return status == status();
  }
}
