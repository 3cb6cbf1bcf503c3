package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte of an echo is checked, wherever the reads happen to cut it. */
class PayloadTest {
  private static MemorySegment message(long key, int bytes) {
    MemorySegment whole = Arena.ofAuto().allocate(bytes);
    Payload.fill(whole, 0, key, 0, bytes);
    return whole;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 63, 64, 65, 1_000})
  void piecesAreTheWhole(int bytes) {
    SplittableRandom random = new SplittableRandom(bytes);
    long key = Payload.key(17, 4);
    MemorySegment whole = message(key, bytes);
    for (int round = 0; round < 200; round++) {
      int from = random.nextInt(bytes);
      int length = random.nextInt(bytes - from + 1);
      int at = random.nextInt(16);
      MemorySegment piece = Arena.ofAuto().allocate(at + length + 1L);
      Payload.fill(piece, at, key, from, length);
      assertThat(piece.asSlice(at, length).mismatch(whole.asSlice(from, length))).isEqualTo(-1);
      assertThat(Payload.matches(piece, at, key, from, length)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 64, 67})
  void anyFlippedBitIsSeen(int bytes) {
    long key = Payload.key(1, 1);
    MemorySegment message = message(key, bytes);
    for (int i = 0; i < bytes * 8; i++) {
      byte right = message.get(JAVA_BYTE, i / 8);
      message.set(JAVA_BYTE, i / 8, (byte) (right ^ 1 << i % 8));
      assertThat(Payload.matches(message, 0, key, 0, bytes)).as("bit " + i).isFalse();
      message.set(JAVA_BYTE, i / 8, right);
    }
    assertThat(Payload.matches(message, 0, key, 0, bytes)).isTrue();
  }

  @Test
  void anotherConnectionsOrAnotherMessagesBytesDoNotPass() {
    int seen = 0;
    MemorySegment message = message(Payload.key(5, 9), 64);
    for (int c = 0; c < 100; c++) {
      for (int s = 0; s < 100; s++) {
        seen += Payload.matches(message, 0, Payload.key(c, s), 0, 64) ? 1 : 0;
      }
    }
    assertThat(seen).isEqualTo(1);
    // Bytes that belong elsewhere in the same message.
    assertThat(Payload.matches(message, 8, Payload.key(5, 9), 0, 8)).isFalse();
  }
}
