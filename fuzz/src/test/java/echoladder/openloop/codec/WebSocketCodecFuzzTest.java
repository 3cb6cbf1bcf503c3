package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of a WebSocket server, behind its right answer to the upgrade: those in one piece and in small ones are understood alike. */
class WebSocketCodecFuzzTest {
  private static final int MESSAGE = 20;
  private static final long KEY = Payload.key(0, 7, 3);

  private record Understood(List<Answer> answers, Map<String, Long> failures, boolean replies) {}

  static Stream<Arguments> seeds() {
    byte[] message = new byte[MESSAGE];
    Payload.fill(MemorySegment.ofArray(message), 0, KEY, 0, MESSAGE);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Frames.plain(Frames.BINARY, true, message));
    all.writeBytes(Frames.plain(Frames.BINARY, false, message));
    all.writeBytes(Frames.plain(Frames.PING, true, new byte[] {'p'}));
    all.writeBytes(Frames.plain(Frames.CONTINUATION, true, new byte[0]));
    return Stream.of(
        Inputs.of("message, fragments, ping", all.toByteArray()),
        Inputs.of("close", Frames.plain(Frames.CLOSE, true, new byte[] {3, (byte) 0xe8, 'x'})),
        Inputs.of("long", Frames.plain(Frames.BINARY, true, new byte[70_000])));
  }

  @MethodSource("seeds")
  @FuzzTest
  void framesAreUnderstoodAlikeInPiecesOfAnySize(byte[] input) {
    Understood whole = understood(input, Integer.MAX_VALUE);
    assertThat(understood(input, 1)).isEqualTo(whole);
    assertThat(understood(input, 7)).isEqualTo(whole);
  }

  /** Up to the first answer that ends the connection. */
  private static Understood understood(byte[] input, int piece) {
    Failures failures = new Failures();
    WebSocketCodec codec = new WebSocketCodec(1, MESSAGE, new Upgrades("/", "127.0.0.1:80", 5, failures), 5, failures);
    MemorySegment out = MemorySegment.ofArray(new byte[1 << 16]);
    String asked = new String(own(codec, out), StandardCharsets.US_ASCII);
    byte[] upgraded = Upgrade.answer(String.valueOf(Upgrade.header(asked, "Sec-WebSocket-Key")));
    assertThat(codec.take(0, KEY, MemorySegment.ofArray(upgraded), 0, upgraded.length)).isEqualTo(upgraded.length);
    assertThat(codec.open(0)).isTrue();
    MemorySegment in = MemorySegment.ofArray(input);
    List<Answer> answers = new ArrayList<>();
    int at = 0;
    while (at < input.length && !answers.contains(Answer.BROKEN) && !answers.contains(Answer.ENDED)) {
      int to = (int) Math.min(input.length, (long) at + piece);
      int next = codec.take(0, KEY, in, at, to);
      assertThat(next).isBetween(at + 1, to);
      at = next;
      if (codec.complete()) {
        answers.add(codec.answer());
      }
    }
    return new Understood(answers, failures.snapshot(), codec.ownBytes(0) > 0);
  }

  private static byte[] own(WebSocketCodec codec, MemorySegment out) {
    int bytes = codec.ownBytes(0);
    assertThat(bytes).isLessThanOrEqualTo((int) out.byteSize());
    codec.own(0, out);
    byte[] said = out.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
    codec.ownSent(0, bytes);
    return said;
  }
}
