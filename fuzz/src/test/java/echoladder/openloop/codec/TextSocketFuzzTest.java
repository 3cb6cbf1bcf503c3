package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of servers that push text over WebSocket: those in one piece and in small ones are understood alike. */
class TextSocketFuzzTest {
  private static final int MESSAGE = 64;
  private static final LoadPlan PLAN =
      LoadPlan.builder(new Target("127.0.0.1", 9), 1, 100, Duration.ofSeconds(1))
          .protocol(Protocol.WEBSOCKET).http(HttpAsk.ECHO.with(PushPaths.DEFAULT)).publish(Publish.ALL).messageBytes(MESSAGE).build();

  private record Understood(List<Answer> answers, List<String> deliveries, Map<String, Long> failures) {}

  static Stream<Arguments> seeds() {
    Delivery message = new Delivery();
    message.sequence = 3;
    byte[] body = new byte[MESSAGE];
    PushText.put(MemorySegment.ofArray(body), 0, Payload.salt(PLAN.seed()), message, MESSAGE);
    ByteArrayOutputStream fragments = new ByteArrayOutputStream();
    fragments.writeBytes(Frames.plain(Frames.TEXT, true, body));
    fragments.writeBytes(Frames.plain(Frames.BINARY, false, Arrays.copyOf(body, 9)));
    fragments.writeBytes(Frames.plain(Frames.PING, true, new byte[] {'p'}));
    fragments.writeBytes(Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(body, 9, MESSAGE)));
    return Stream.of(
        Inputs.of("a message, and one in fragments with a ping", fragments.toByteArray()),
        Inputs.of("close", Frames.plain(Frames.CLOSE, true, new byte[] {3, (byte) 0xe8, 'x'})),
        Inputs.of("long", Frames.plain(Frames.TEXT, true, new byte[70_000])));
  }

  @MethodSource("seeds")
  @FuzzTest
  void messagesAreUnderstoodAlikeInPiecesOfAnySize(byte[] input) {
    Understood whole = understood(input, Integer.MAX_VALUE);
    assertThat(understood(input, 1)).isEqualTo(whole);
    assertThat(understood(input, 7)).isEqualTo(whole);
  }

  /** Behind the right answer to the upgrade, up to what ends the connection. */
  private static Understood understood(byte[] input, int piece) {
    Failures failures = new Failures();
    Codec codec = Codec.of(PLAN, new Slice(0, 1, 1, 1), failures);
    byte[] asked = new byte[codec.requestBytes(0)];
    codec.request(MemorySegment.ofArray(asked), 0, 0, 0, asked.length);
    String key = String.valueOf(Upgrade.header(new String(asked, StandardCharsets.US_ASCII), "Sec-WebSocket-Key"));
    byte[] granted = Upgrade.answer(key);
    assertThat(codec.take(0, 0, MemorySegment.ofArray(granted), 0, granted.length)).isEqualTo(granted.length);
    assertThat(codec.answer()).isEqualTo(Answer.RIGHT);
    MemorySegment in = MemorySegment.ofArray(input);
    List<Answer> answers = new ArrayList<>();
    List<String> deliveries = new ArrayList<>();
    for (int at = 0; at < input.length && answers.isEmpty(); ) {
      int to = (int) Math.min(input.length, (long) at + piece);
      int next = codec.take(0, 0, in, at, to);
      assertThat(next).isBetween(at + 1, to);
      at = next;
      Delivery delivery = codec.delivery();
      if (delivery != null) {
        deliveries.add("%d %d %b".formatted(delivery.topic, delivery.right ? delivery.sequence : -1, delivery.right));
      }
      if (codec.complete()) {
        answers.add(codec.answer());
      }
    }
    return new Understood(answers, deliveries, failures.snapshot());
  }
}
