package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Event streams of servers that push: those in one piece and in small ones are understood alike, and memory stays bounded. */
class EventStreamFuzzTest {
  private static final int MESSAGE = 64;
  private static final LoadPlan PLAN =
      LoadPlan.builder(new Target("127.0.0.1", 9), 1, 100, Duration.ofSeconds(1))
          .protocol(Protocol.HTTP).publish(Publish.ALL).messageBytes(MESSAGE).build();

  private static final String PLAIN = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  private record Understood(List<Answer> answers, List<String> deliveries, Map<String, Long> failures) {}

  static Stream<Arguments> seeds() {
    Delivery message = new Delivery();
    message.sequence = 3;
    byte[] body = new byte[MESSAGE];
    PushText.put(MemorySegment.ofArray(body), 0, Payload.salt(PLAN.seed()), message, MESSAGE);
    String event = "data: " + new String(body, StandardCharsets.US_ASCII) + "\n\n";
    return Stream.of(
        of("two messages until the close", PLAIN + event + event),
        of("two messages in chunks, and the end", CHUNKED + "48\r\n" + event + "\r\n48;x=y\r\n" + event + "\r\n0\r\n\r\n"),
        of("other fields, types and line ends", PLAIN + ": c\r\nid: 1\revent: message\n" + event + "event: x\ndata: y\n\ndata\ndata:z\r\r"),
        of("no stream", "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"));
  }

  private static Arguments of(String name, String text) {
    return Inputs.of(name, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @MethodSource("seeds")
  @FuzzTest
  void streamsAreUnderstoodAlikeInPiecesOfAnySize(byte[] input) {
    Understood whole = understood(input, Integer.MAX_VALUE);
    assertThat(understood(input, 1)).isEqualTo(whole);
    assertThat(understood(input, 7)).isEqualTo(whole);
  }

  /** Up to what ends the connection. */
  private static Understood understood(byte[] input, int piece) {
    Failures failures = new Failures();
    EventStreamCodec codec = new EventStreamCodec(PLAN, Publish.ALL, new Slice(0, 1, 1, 1), failures);
    MemorySegment in = MemorySegment.ofArray(input);
    List<Answer> answers = new ArrayList<>();
    List<String> deliveries = new ArrayList<>();
    for (int at = 0; at < input.length && answers.stream().allMatch(answer -> answer == Answer.RIGHT); ) {
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
