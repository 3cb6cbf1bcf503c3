package echoladder.client.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 8280, 01020304",
    "125, 82fd, 01020304",
    "126, 82fe007e, 01020304",
    "65535, 82feffff, 01020304",
    "65536, 82ff0000000000010000, 01020304",
    "1048576, 82ff0000000000100000, 01020304",
  })
  void headsAreInTheirShortestForm(int payload, String head, String mask) {
    byte[] bytes = new byte[Frames.MOST_HEAD_BYTES];
    int end = Frames.maskedHead(MemorySegment.ofArray(bytes), 0, Frames.BINARY, payload, 0x0403_0201);
    assertThat(HexFormat.of().formatHex(bytes, 0, end)).isEqualTo(head + mask);
    assertThat(Frames.headBytes(payload, true)).isEqualTo(end);
    assertThat(Frames.headBytes(payload, false)).isEqualTo(end - 4);
  }

  /** Examples of RFC 6455, section 5.7. */
  @Test
  void writesWhatTheRfcWrites() {
    byte[] hello = "Hello".getBytes(StandardCharsets.US_ASCII);
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(Frames.plain(Frames.TEXT, true, hello))).isEqualTo("810548656c6c6f");
    assertThat(hex.formatHex(Frames.masked(Frames.TEXT, hello, 0x3d21_fa37))).isEqualTo("818537fa213d7f9f4d5158");
    assertThat(hex.formatHex(Frames.plain(Frames.TEXT, false, new byte[] {'H', 'e', 'l'}))).isEqualTo("010348656c");
  }

  @Test
  void masksByteForByteWhereverTheyLie() {
    SplittableRandom random = new SplittableRandom(3);
    for (int length = 0; length < 70; length++) {
      for (int at = 0; at < 9; at++) {
        byte[] bytes = new byte[at + length + 3];
        random.nextBytes(bytes);
        int mask = random.nextInt();
        byte[] right = bytes.clone();
        for (int i = 0; i < length; i++) {
          right[at + i] = (byte) (right[at + i] ^ (mask >>> (8 * (i % 4))));
        }
        Frames.mask(MemorySegment.ofArray(bytes), at, length, mask);
        assertThat(bytes).as("%s bytes at %s", length, at).isEqualTo(right);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1005", "03e8, 1000", "03e9, 1001", "03f3, 1011", "03f6, 1014", "0bb8, 3000", "1387, 4999", "03e8c3a9, 1000", "03, -1", "03e7, -1",
    "03ec, -1", "03ed, -1", "03ee, -1", "03f7, -1", "07d0, -1", "1388, -1", "ffff, -1",
  })
  void aCloseHasACodeThatMayBeSent(String body, int code) {
    byte[] bytes = HexFormat.of().parseHex(body);
    assertThat(CloseCode.of(bytes)).isEqualTo(code);
    if (code > 0 && bytes.length == 2) {
      assertThat(CloseCode.body(code)).isEqualTo(bytes);
    }
  }
}
