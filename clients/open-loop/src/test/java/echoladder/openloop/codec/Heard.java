package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.openloop.result.Answer;
import echoladder.openloop.result.MessageTimes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Everything that a codec says of bytes that come to its connection 1 in pieces; and the bodies of text that are sent to it. */
record Heard(List<Answer> answers, List<Delivery> deliveries) {
  /** In pieces of that size. */
  static Heard of(Codec codec, byte[] bytes, int piece) {
    Heard heard = new Heard(new ArrayList<>(), new ArrayList<>());
    MemorySegment in = Arena.ofAuto().allocate(Math.min(piece, bytes.length), 64);
    for (int from = 0; from < bytes.length; from += piece) {
      int n = Math.min(piece, bytes.length - from);
      MemorySegment.copy(bytes, from, in, JAVA_BYTE, 0, n);
      for (int at = 0; at < n; ) {
        int next = codec.take(1, 0, in, at, n);
        assertThat(next).isGreaterThan(at);
        at = next;
        if (codec.complete()) {
          heard.answers.add(codec.answer());
          continue;
        }
        Delivery delivery = codec.delivery();
        if (delivery != null) {
          heard.deliveries.add(copy(delivery));
        }
      }
    }
    return heard;
  }

  private static Delivery copy(Delivery of) {
    Delivery copy = new Delivery();
    copy.topic = of.topic;
    copy.sequence = of.sequence;
    copy.intendedNs = of.intendedNs;
    copy.freedNs = of.freedNs;
    copy.sentNs = of.sentNs;
    copy.right = of.right;
    return copy;
  }

  /** A message of that number at moments that are drawn. */
  static Delivery message(long number, Random random) {
    Delivery of = new Delivery();
    of.sequence = number;
    of.intendedNs = random.nextLong();
    of.freedNs = random.nextBoolean() ? MessageTimes.FREE : random.nextLong();
    of.sentNs = random.nextLong();
    return of;
  }

  /** The body of a message of a load with that seed. */
  static String text(Delivery of, int messageBytes, long seed) {
    MemorySegment out = Arena.ofAuto().allocate(messageBytes, 8);
    PushText.put(out, 0, Payload.salt(seed), of, messageBytes);
    return new String(out.toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
  }
}
