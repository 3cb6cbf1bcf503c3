package echoladder.openloop.codec;

import echoladder.client.LoadPlan;
import java.lang.foreign.MemorySegment;

/** What is asked over HTTP on each connection, and which answer is right. Belongs to one event loop. */
public interface HttpExchange extends HttpAnswers {
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
}
