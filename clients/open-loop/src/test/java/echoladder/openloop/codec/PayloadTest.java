package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.openloop.Measured;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.loop.LoopPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
    long key = Payload.key(0, 17, 4);
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
    long key = Payload.key(0, 1, 1);
    MemorySegment message = message(key, bytes);
    for (int i = 0; i < bytes * 8; i++) {
      byte right = message.get(JAVA_BYTE, i / 8);
      message.set(JAVA_BYTE, i / 8, (byte) (right ^ 1 << i % 8));
      assertThat(Payload.matches(message, 0, key, 0, bytes)).as("bit " + i).isFalse();
      message.set(JAVA_BYTE, i / 8, right);
    }
    assertThat(Payload.matches(message, 0, key, 0, bytes)).isTrue();
  }

  /** Two parts of a load number their connections from 0 each. */
  @Test
  void anotherPartsBytesDoNotPassThoughItsConnectionHasTheSameNumber() {
    LoadPlan whole = Measured.plan(new Target("127.0.0.1", 9), 100, 100, Duration.ofSeconds(1)).build();
    List<Long> salts = Stream.of(7_920L, 15_839L).map(seed -> loop(whole.part(50, seed, List.of(), null)).salt()).toList();
    Set<Integer> masks = new HashSet<>();
    for (int c = 0; c < 50; c++) {
      for (int s = 0; s < 10; s++) {
        long first = Payload.key(salts.get(0), c, s);
        long second = Payload.key(salts.get(1), c, s);
        assertThat(Payload.matches(message(first, 8), 0, second, 0, 8)).isFalse();
        masks.addAll(List.of(WebSocketCodec.mask(first), WebSocketCodec.mask(second)));
      }
    }
    assertThat(masks).as("2 x 500 draws from 2^32").hasSizeGreaterThan(990);
  }

  private static LoopPlan loop(LoadPlan plan) {
    return new LoopPlan(plan, new Slice(0, 1, plan.connections(), plan.connections()), new Addresses(List.of(), List.of()));
  }

  @Test
  void anotherConnectionsOrAnotherMessagesBytesDoNotPass() {
    int seen = 0;
    MemorySegment message = message(Payload.key(0, 5, 9), 64);
    for (int c = 0; c < 100; c++) {
      for (int s = 0; s < 100; s++) {
        seen += Payload.matches(message, 0, Payload.key(0, c, s), 0, 64) ? 1 : 0;
      }
    }
    assertThat(seen).isEqualTo(1);
    // Bytes that belong elsewhere in the same message.
    assertThat(Payload.matches(message, 8, Payload.key(0, 5, 9), 0, 8)).isFalse();
  }
}
