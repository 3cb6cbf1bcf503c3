package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Publishing by the frames of {@link PushFrames}. */
final class TcpPublishTalk implements PublishTalk {
  private final long salt;
  private final int messageBytes;
  private final byte[] answer = new byte[PushFrames.PUBLISHED_BYTES];
  private int held;

  TcpPublishTalk(long salt, int messageBytes) {
    this.salt = salt;
    this.messageBytes = messageBytes;
  }

  @Override
  public int mostBytes() {
    return PushFrames.publishBytes(messageBytes);
  }

  @Override
  public int publish(MemorySegment out, Delivery of) {
    PushFrames.publish(out, salt, of, messageBytes);
    return mostBytes();
  }

  @Override
  public void take(MemorySegment in, int n, Answers into) {
    for (int at = 0; at < n; ) {
      int some = Math.min(n - at, answer.length - held);
      MemorySegment.copy(in, JAVA_BYTE, at, answer, held, some);
      at += some;
      held += some;
      if (held == answer.length) {
        held = 0;
        int topic = into.topic();
        int subscribers = topic < 0 ? -1 : PushFrames.audience(answer, 0, topic);
        if (subscribers < 0) {
          into.broken("bytes that answer no publish");
          return;
        }
        into.published(subscribers);
      }
    }
  }
}
