package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of a client of push: those in one piece and in small ones are the same, and each is one that a client may send. */
class PushFramesFuzzTest {
  private static byte[] frame(int length, int kind, int topic, int bodyBytes) {
    return ByteBuffer.allocate(9 + bodyBytes).putInt(length).put((byte) kind).putInt(topic).array();
  }

  static Stream<Arguments> seeds() {
    byte[] several =
        ByteBuffer.allocate(18 + 109).put(frame(5, 1, 0, 0)).put(frame(105, 3, 0, 100)).put(frame(5, 2, 0, 0)).array();
    return Stream.of(
        Inputs.of("subscribe, publish, leave", several),
        Inputs.of("long", frame(10_005, 3, 1, 10_000)),
        Inputs.of("too long", frame(5 + (1 << 20) + 1, 3, 1, 0)),
        Inputs.of("a negative topic", frame(5, 1, -1, 0)),
        Inputs.of("an unknown kind", frame(5, 9, 0, 0)));
  }

  @MethodSource("seeds")
  @FuzzTest
  void framesAreTheSameInPiecesOfAnySize(byte[] input) {
    List<String> whole = frames(input, Integer.MAX_VALUE);
    assertThat(frames(input, 1)).isEqualTo(whole);
    assertThat(frames(input, 7)).isEqualTo(whole);
  }

  /** What came of it, and that it was malformed where it was. */
  private static List<String> frames(byte[] input, int piece) {
    PushFrames frames = new PushFrames();
    List<String> all = new ArrayList<>();
    try {
      for (int at = 0; at < input.length; at += Math.min(piece, input.length - at)) {
        ByteBuffer in = ByteBuffer.wrap(input, at, Math.min(piece, input.length - at));
        for (byte[] frame; (frame = frames.next(in)) != null; ) {
          assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
          assertThat(PushFrames.kind(frame)).isBetween(PushFrames.SUBSCRIBE, PushFrames.PUBLISH);
          assertThat(PushFrames.topic(frame)).isNotNegative();
          all.add(Arrays.toString(frame));
        }
        assertThat(in.hasRemaining()).isFalse();
      }
    } catch (PushFrames.Malformed e) {
      Ends.said(e);
      all.add("malformed");
    }
    return all;
  }
}
