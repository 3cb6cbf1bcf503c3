package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of a server that pushes: those in one piece and in small ones are understood alike, and memory stays bounded. */
class PushCodecFuzzTest {
  private static final int MESSAGE = 64;
  private static final LoadPlan PLAN =
      LoadPlan.builder(new Target("127.0.0.1", 9), 1, 100, Duration.ofSeconds(1)).publish(Publish.ALL).messageBytes(MESSAGE).build();

  private record Understood(List<Answer> answers, List<String> deliveries, Map<String, Long> failures) {}

  static Stream<Arguments> seeds() {
    Delivery message = new Delivery();
    message.sequence = 3;
    byte[] pushed = new byte[PushFrames.publishBytes(MESSAGE)];
    PushFrames.publish(MemorySegment.ofArray(pushed), Payload.salt(PLAN.seed()), message, MESSAGE);
    pushed[4] = PushFrames.MESSAGE;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(PushFrames.request(PushFrames.SUBSCRIBED, 0));
    all.writeBytes(pushed);
    all.writeBytes(pushed);
    all.writeBytes(PushFrames.request(PushFrames.LEFT, 0));
    return Stream.of(
        Inputs.of("subscribed, two messages, left", all.toByteArray()),
        Inputs.of("a message without body", PushFrames.request(PushFrames.MESSAGE, 0)),
        Inputs.of("published", PushFrames.request(PushFrames.PUBLISHED, 0)),
        Inputs.of("a length below zero", new byte[] {-128, 0, 0, 0, PushFrames.MESSAGE, 0, 0, 0, 0, 1}));
  }

  @MethodSource("seeds")
  @FuzzTest
  void framesAreUnderstoodAlikeInPiecesOfAnySize(byte[] input) {
    Understood whole = understood(input, Integer.MAX_VALUE);
    assertThat(understood(input, 1)).isEqualTo(whole);
    assertThat(understood(input, 7)).isEqualTo(whole);
  }

  /** Up to the first frame that ends the connection. */
  private static Understood understood(byte[] input, int piece) {
    Failures failures = new Failures();
    PushCodec codec = new PushCodec(PLAN, Publish.ALL, new Slice(0, 1, 1, 1), failures);
    MemorySegment in = MemorySegment.ofArray(input);
    List<Answer> answers = new ArrayList<>();
    List<String> deliveries = new ArrayList<>();
    int at = 0;
    while (at < input.length && !answers.contains(Answer.BROKEN)) {
      int to = (int) Math.min(input.length, (long) at + piece);
      int next = codec.take(0, 0, in, at, to);
      assertThat(next).isBetween(at + 1, to);
      at = next;
      if (codec.complete()) {
        answers.add(codec.answer());
      }
      Delivery delivery = codec.delivery();
      if (delivery != null) {
        deliveries.add("%d %d %b".formatted(delivery.topic, delivery.right ? delivery.sequence : -1, delivery.right));
      }
    }
    return new Understood(answers, deliveries, failures.snapshot());
  }
}
