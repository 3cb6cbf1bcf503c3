package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageTimes;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames cut anywhere, messages with a byte turned over, and what a delivery says of its times. */
class PushCodecTest {
  private static final int CONNECTIONS = 4;
  private static final long SEED = 7;

  private static LoadPlan plan(int messageBytes) {
    return LoadPlan.builder(new Target("127.0.0.1", 9), CONNECTIONS, 100, Duration.ofSeconds(1))
        .publish(Publish.ALL).messageBytes(messageBytes).seed(SEED).build();
  }

  private static PushCodec codec(int messageBytes) {
    return new PushCodec(plan(messageBytes), Publish.ALL, new Slice(0, 1, CONNECTIONS, CONNECTIONS), new Failures());
  }

  private static Delivery message(int number, Random random) {
    Delivery of = new Delivery();
    of.topic = 0;
    of.sequence = number;
    of.intendedNs = random.nextLong(1L << 50);
    of.freedNs = random.nextBoolean() ? MessageTimes.FREE : of.intendedNs + random.nextInt(2_000) - 1_000;
    of.sentNs = Math.max(of.intendedNs, of.freedNs) + random.nextInt(1_000);
    return of;
  }

  /** What a server makes of the frame that publishes it: its kind alone is another. */
  private static byte[] pushed(Delivery of, int messageBytes) {
    MemorySegment out = Arena.ofAuto().allocate(PushFrames.publishBytes(messageBytes), 64);
    PushFrames.publish(out, Payload.salt(SEED), of, messageBytes);
    byte[] frame = out.toArray(JAVA_BYTE);
    assertThat(frame[4]).isEqualTo((byte) PushFrames.PUBLISH);
    frame[4] = PushFrames.MESSAGE;
    return frame;
  }

  private static byte[] answer(int kind, int topic) {
    return PushFrames.request(kind, topic);
  }

  /** Everything that a codec says of bytes that come in chunks of that size. */
  private record Heard(List<Answer> answers, List<Delivery> deliveries) {
    static Heard of(PushCodec codec, byte[] bytes, int chunk) {
      Heard heard = new Heard(new ArrayList<>(), new ArrayList<>());
      MemorySegment in = Arena.ofAuto().allocate(Math.max(chunk, 1), 64);
      for (int from = 0; from < bytes.length; from += chunk) {
        int n = Math.min(chunk, bytes.length - from);
        MemorySegment.copy(bytes, from, in, JAVA_BYTE, 0, n);
        int at = 0;
        while (at < n) {
          int next = codec.take(1, 0, in, at, n);
          assertThat(next).isGreaterThan(at);
          at = next;
          if (codec.complete()) {
            heard.answers.add(codec.answer());
          }
          Delivery delivery = codec.delivery();
          if (delivery != null) {
            assertThat(codec.complete()).isFalse();
            heard.deliveries.add(copy(delivery));
          }
        }
      }
      return heard;
    }
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

  @ParameterizedTest
  @ValueSource(ints = {40, 41, 64, 300})
  void framesThatAreCutAnywhereAreTheSameFrames(int messageBytes) {
    Random random = new Random(messageBytes);
    for (int chunk = 1; chunk <= 2 * (messageBytes + PushFrames.HEAD_BYTES) + 1; chunk++) {
      PushCodec codec = codec(messageBytes);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(answer(PushFrames.SUBSCRIBED, 0));
      List<Delivery> sent = new ArrayList<>();
      for (int number = 0; number < 5; number++) {
        Delivery message = message(number, random);
        sent.add(message);
        all.writeBytes(pushed(message, messageBytes));
      }
      all.writeBytes(answer(PushFrames.LEFT, 0));
      Heard heard = Heard.of(codec, all.toByteArray(), chunk);
      assertThat(heard.answers).containsExactly(Answer.RIGHT, Answer.RIGHT);
      assertThat(heard.deliveries).hasSameSizeAs(sent).allMatch(delivery -> delivery.right);
      for (int i = 0; i < sent.size(); i++) {
        assertThat(heard.deliveries.get(i)).usingRecursiveComparison().ignoringFields("right").isEqualTo(sent.get(i));
      }
    }
  }

  /** Server time, send lateness and receive delay of a delivery add up to its response time, by what its own bytes say of its publish. */
  @Test
  void theTimesOfADeliveryAddUp() {
    Random random = new Random(3);
    MessageTimes times = new MessageTimes();
    for (int number = 0; number < 1_000; number++) {
      Delivery of = Heard.of(codec(64), pushed(message(number, random), 64), 64).deliveries.getFirst();
      long arrived = of.sentNs + random.nextInt(5_000);
      long read = arrived + random.nextInt(5_000);
      times.answered(of.intendedNs, of.freedNs, of.sentNs, arrived, read);
      assertThat(times.responseNs()).isEqualTo(read - of.intendedNs);
      assertThat(times.serverNs() + times.latenessNs() + times.receiveDelayNs()).isEqualTo(times.responseNs());
      // The time to deliver is what of it is not the client's read.
      assertThat(times.serverNs() + times.latenessNs()).isEqualTo(times.arrivedNs() - of.intendedNs);
      assertThat(times.serverNs()).isNotNegative();
      assertThat(times.latenessNs()).isNotNegative();
    }
  }

  @Test
  void everyByteOfABodyIsVerified() {
    byte[] right = pushed(message(12, new Random(1)), 77);
    for (int at = PushFrames.HEAD_BYTES; at < right.length; at++) {
      byte[] wrong = right.clone();
      wrong[at] ^= 1;
      assertThat(Heard.of(codec(77), wrong, 30).deliveries).as("byte %d", at).hasSize(1).allMatch(delivery -> !delivery.right);
    }
  }

  @Test
  void aBodyOfAnotherLengthOrAnotherTopicIsNotRight() {
    Delivery message = message(1, new Random(2));
    for (int bytes : new int[] {40, 63, 65, 300}) {
      assertThat(Heard.of(codec(64), pushed(message, bytes), 10).deliveries).as("%d bytes", bytes).hasSize(1).allMatch(of -> !of.right);
    }
    byte[] other = pushed(message, 64);
    other[8] = 5;
    assertThat(Heard.of(codec(64), other, 10).deliveries).hasSize(1).allMatch(of -> of.topic == 5 && !of.right);
    byte[] empty = answer(PushFrames.MESSAGE, 0);
    assertThat(Heard.of(codec(64), empty, 4).deliveries).hasSize(1).allMatch(of -> !of.right);
  }

  @Test
  void whatNoServerSendsASubscriberIsBroken() {
    for (byte[] frame : new byte[][] {answer(PushFrames.LEFT, 0), answer(PushFrames.PUBLISHED, 0), answer(9, 0), new byte[9]}) {
      assertThat(Heard.of(codec(64), frame, 9).answers).containsExactly(Answer.BROKEN);
    }
    assertThat(Heard.of(codec(64), answer(PushFrames.SUBSCRIBED, 3), 9).answers).containsExactly(Answer.WRONG);
  }
}
