package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.fuzz.Inputs;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of a client, behind its upgrade: those in one piece and in small ones are answered alike, and by frames that may be sent. */
class FloorWebSocketFuzzTest {
  private static final int MOST_MESSAGE_BYTES = 20_000;
  private static final int MASK = 0x4a3b2c1d;
  private static final String KEY = Upgrade.key(7, 3);
  private static final byte[] UPGRADE = Upgrade.request("/echo", "t:1", KEY);
  private static final byte[] UPGRADED = Upgrade.answer(KEY);

  private static byte[] frames(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Stream.of(frames).forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static byte[] frame(int opcode, String text) {
    return Frames.masked(opcode, text.getBytes(StandardCharsets.UTF_8), MASK);
  }

  /** One that does not end its message. */
  private static byte[] begun(int opcode, String text) {
    byte[] frame = frame(opcode, text);
    frame[0] &= 0x7f;
    return frame;
  }

  static Stream<Arguments> seeds() {
    return Stream.of(
        Inputs.of("messages, ping, pong", frames(frame(Frames.TEXT, "grüß"), frame(Frames.PING, "p"), frame(Frames.PONG, ""), frame(Frames.BINARY, "x".repeat(200)))),
        Inputs.of("fragments", frames(begun(Frames.TEXT, "ab"), frame(Frames.PING, "between"), begun(Frames.CONTINUATION, ""), frame(Frames.CONTINUATION, "€"))),
        Inputs.of("close", Frames.masked(Frames.CLOSE, new byte[] {3, (byte) 0xe8, 'x'}, MASK)),
        Inputs.of("long", Frames.masked(Frames.BINARY, new byte[MOST_MESSAGE_BYTES], MASK)),
        Inputs.of("too long", Frames.masked(Frames.BINARY, new byte[MOST_MESSAGE_BYTES + 1], MASK)));
  }

  @MethodSource("seeds")
  @FuzzTest
  void framesAreAnsweredAlikeInPiecesOfAnySize(byte[] input) {
    byte[] whole = answers(input, Integer.MAX_VALUE);
    assertThat(answers(input, 1)).isEqualTo(whole);
    assertThat(answers(input, 7)).isEqualTo(whole);
    areFrames(whole);
  }

  private static byte[] answers(byte[] input, int piece) {
    byte[] said = Talk.answers(WebSocketConversation.ofLoop(MOST_MESSAGE_BYTES).apply(0), frames(UPGRADE, input), piece);
    assertThat(said).startsWith(UPGRADED);
    return Arrays.copyOfRange(said, UPGRADED.length, said.length);
  }

  /** As the client takes them, each to its end. */
  private static void areFrames(byte[] said) {
    FrameHeads heads = new FrameHeads(1, false);
    MemorySegment in = MemorySegment.ofArray(said);
    for (int at = 0; at < said.length; ) {
      at = heads.take(0, in, at, said.length);
      assertThat(heads.violation()).isNull();
      assertThat(heads.complete()).isTrue();
      int payload = heads.left(0);
      at += payload;
      assertThat(at).isLessThanOrEqualTo(said.length);
      if (payload > 0) {
        heads.passed(0, payload);
      }
    }
  }
}
