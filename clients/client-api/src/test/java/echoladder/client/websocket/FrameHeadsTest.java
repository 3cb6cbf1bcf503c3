package echoladder.client.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames are the same however the reads cut them, and what a peer must not send has its name. */
class FrameHeadsTest {
  private static byte[] payload(int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(payload);
    return payload;
  }

  private static String told(int opcode, boolean last, byte[] payload) {
    return "%d%s %d bytes %08x".formatted(opcode, last ? "" : "...", payload.length, Arrays.hashCode(payload));
  }

  /** What pieces of a stream add up to; ends with the first violation. */
  private static final class Reader {
    private final boolean masked;
    private final FrameHeads heads;
    private final List<String> frames = new ArrayList<>();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private boolean broken;

    Reader(boolean masked) {
      this.masked = masked;
      heads = new FrameHeads(1, masked);
    }

    void read(byte[] part) {
      byte[] own = part.clone();
      MemorySegment in = MemorySegment.ofArray(own);
      int at = 0;
      while (at < own.length && !broken) {
        int before = at;
        if (heads.inHead(0)) {
          at = heads.take(0, in, at, own.length);
          Violation violation = heads.violation();
          broken = violation != null;
          if (violation != null) {
            frames.add(violation.name());
          }
        } else {
          int bytes = Math.min(own.length - at, heads.left(0));
          if (masked) {
            Frames.mask(in, at, bytes, heads.mask(0));
          }
          payload.write(own, at, bytes);
          heads.passed(0, bytes);
          at += bytes;
        }
        assertThat(at).isGreaterThan(before).isLessThanOrEqualTo(own.length);
        if (!broken && heads.complete() && heads.inHead(0)) {
          frames.add(told(heads.opcode(0), heads.last(0), payload.toByteArray()));
          payload.reset();
        }
      }
    }
  }

  private static List<String> read(boolean masked, byte[] stream, int piece) {
    Reader reader = new Reader(masked);
    for (int at = 0; at < stream.length; at += piece) {
      reader.read(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + piece)));
    }
    return reader.frames;
  }

  private static byte[] stream(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 125, 126, 127, 65_535, 65_536, 1 << 20})
  void everyLengthInPiecesOfAnySize(int bytes) {
    byte[] payload = payload(bytes);
    List<String> once = List.of(told(Frames.BINARY, true, payload));
    for (int piece : new int[] {1, 3, 4_096, Integer.MAX_VALUE / 2}) {
      assertThat(read(false, Frames.plain(Frames.BINARY, true, payload), piece)).isEqualTo(once);
      assertThat(read(true, Frames.masked(Frames.BINARY, payload, 0x8040_2001), piece)).isEqualTo(once);
    }
  }

  @Test
  void fragmentsAndWhatLiesBetweenThemCutAtEveryByte() {
    byte[] one = payload(126);
    byte[] two = payload(3);
    byte[] none = new byte[0];
    byte[] stream =
        stream(
            Frames.plain(Frames.BINARY, false, one), Frames.plain(Frames.PING, true, two), Frames.plain(Frames.CONTINUATION, false, none),
            Frames.plain(Frames.PONG, true, none), Frames.plain(Frames.CONTINUATION, true, two), Frames.plain(Frames.TEXT, true, none),
            Frames.plain(Frames.CLOSE, true, CloseCode.body(1001)));
    List<String> right =
        List.of(
            told(Frames.BINARY, false, one), told(Frames.PING, true, two), told(Frames.CONTINUATION, false, none),
            told(Frames.PONG, true, none), told(Frames.CONTINUATION, true, two), told(Frames.TEXT, true, none),
            told(Frames.CLOSE, true, CloseCode.body(1001)));
    for (int cut = 0; cut <= stream.length; cut++) {
      Reader reader = new Reader(false);
      reader.read(Arrays.copyOfRange(stream, 0, cut));
      reader.read(Arrays.copyOfRange(stream, cut, stream.length));
      assertThat(reader.frames).as("cut at %s", cut).isEqualTo(right);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "c200, RESERVED_BITS",
    "a200, RESERVED_BITS",
    "9200, RESERVED_BITS",
    "8300, UNKNOWN_OPCODE",
    "8700, UNKNOWN_OPCODE",
    "8b00, UNKNOWN_OPCODE",
    "8f00, UNKNOWN_OPCODE",
    "0800, FRAGMENTED_CONTROL",
    "0900, FRAGMENTED_CONTROL",
    "897e007e, CONTROL_TOO_LONG",
    "887f0000000000000400, CONTROL_TOO_LONG",
    "8000, NOTHING_TO_CONTINUE",
    "0000, NOTHING_TO_CONTINUE",
    "02008200, MESSAGE_WITHIN_MESSAGE",
    "020089000100, MESSAGE_WITHIN_MESSAGE",
    "82008000, NOTHING_TO_CONTINUE",
    "8280, MASKED",
    "827e007d, LENGTH_NOT_SHORTEST",
    "827f000000000000ffff, LENGTH_NOT_SHORTEST",
    "827f8000000000000000, LENGTH_BIT",
    "827f0000000080000000, TOO_LONG",
    "827f0000000100000000, TOO_LONG",
  })
  void whatAServerMustNotSendHasItsName(String hex, Violation violation) {
    byte[] stream = HexFormat.of().parseHex(hex);
    for (int piece : new int[] {1, stream.length}) {
      assertThat(read(false, stream, piece).getLast()).isEqualTo(violation.name());
    }
    assertThat(violation.words()).isNotBlank();
  }

  @Test
  void aClientHasToMask() {
    assertThat(read(true, Frames.plain(Frames.BINARY, true, payload(5)), 1)).containsExactly("UNMASKED");
    assertThat(read(true, HexFormat.of().parseHex("8900"), 2)).containsExactly("UNMASKED");
  }

  @Test
  void theLongestFrameIsUnderstood() {
    FrameHeads heads = new FrameHeads(1, false);
    byte[] head = HexFormat.of().parseHex("827f000000007fffffff");
    assertThat(heads.take(0, MemorySegment.ofArray(head), 0, head.length)).isEqualTo(head.length);
    assertThat(heads.violation()).isNull();
    assertThat(heads.left(0)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void connectionsAreKeptApartAndBeginAnew() {
    FrameHeads heads = new FrameHeads(2, false);
    MemorySegment begun = MemorySegment.ofArray(new byte[] {2, 5});
    heads.take(0, begun, 0, 2);
    assertThat(heads.inHead(0)).isFalse();
    assertThat(heads.inHead(1)).isTrue();
    heads.take(1, begun, 0, 1);
    heads.restart(0);
    assertThat(heads.inHead(0)).isTrue();
    heads.take(0, MemorySegment.ofArray(new byte[] {(byte) 0x82, 0}), 0, 2);
    assertThat(heads.violation()).as("of the message before nothing is left").isNull();
    heads.take(1, begun, 1, 2);
    assertThat(heads.left(1)).isEqualTo(5);
    assertThat(heads.arrayBytes()).isEqualTo(12);
  }

  @Test
  void anyStreamAtAllIsReadToItsEndOrToAViolation() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 5_000; round++) {
      byte[] stream = new byte[random.nextInt(1, 80)];
      random.nextBytes(stream);
      // Half of them begin as a frame, so that not all end with the first byte.
      stream[0] = random.nextBoolean() ? stream[0] : (byte) 0x82;
      boolean masked = random.nextBoolean();
      assertThat(read(masked, stream, random.nextInt(1, 20))).as("round %s", round).isEqualTo(read(masked, stream, stream.length));
    }
  }
}
