package echoladder.openloop.codec;

import echoladder.openloop.result.Answer;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Plain echo: the message is the request, and the answer is the same bytes. */
final class TcpCodec implements Codec {
  private final int messageBytes;
  private final int[] received;
  // Connections in the middle of an answer that already had a wrong byte: a rarity, so a sparse set.
  private final BitSet wrong = new BitSet();
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  TcpCodec(int connections, int messageBytes) {
    this.messageBytes = messageBytes;
    this.received = new int[connections];
  }

  @Override
  public int requestBytes(int connection) {
    return messageBytes;
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    Payload.fill(out, 0, key, from, bytes);
  }

  @Override
  public int take(int connection, long key, MemorySegment in, int from, int to) {
    int offset = received[connection];
    int bytes = Math.min(to - from, messageBytes - offset);
    boolean matches = Payload.matches(in, from, key, offset, bytes);
    complete = offset + bytes == messageBytes;
    if (matches && wrong.isEmpty()) {
      answer = Answer.RIGHT;
    } else {
      answer = matches && !wrong.get(connection) ? Answer.RIGHT : Answer.WRONG;
      wrong.set(connection, answer == Answer.WRONG && !complete);
    }
    received[connection] = complete ? 0 : offset + bytes;
    return from + bytes;
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public void restart(int connection) {
    received[connection] = 0;
    wrong.clear(connection);
  }

  @Override
  public boolean endedBy(int connection) {
    return false;
  }

  @Override
  public @Nullable String unended(int connection) {
    return received[connection] == 0
        ? null
        : wrong.get(connection) ? "fewer bytes than were sent, and other ones" : "fewer bytes than were sent";
  }

  @Override
  public Answer answer() {
    return answer;
  }

  @Override
  public long arrayBytes() {
    return 4L * received.length;
  }
}
