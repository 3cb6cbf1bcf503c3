package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordEndTest {
  private static final int[] LENGTHS = {1, 0, 300, 5, 16_384 + 256, 65_535};

  /** However little a read takes, none goes over the end of a record. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 255, 1_000_000})
  void noReadGoesBeyondARecord(int most) {
    byte[] stream = records();
    List<Integer> ends = new ArrayList<>();
    int end = 0;
    for (int length : LENGTHS) {
      end += 5 + length;
      ends.add(end);
    }
    RecordEnd record = new RecordEnd();
    List<Integer> stops = new ArrayList<>();
    int at = 0;
    while (at < stream.length) {
      int n = Math.min(most, record.bytes());
      assertThat(n).isBetween(1, stream.length - at);
      record.read(MemorySegment.ofArray(stream).asSlice(at, n), n);
      at += n;
      stops.add(at);
    }
    assertThat(stops).containsAll(ends);
  }

  private static byte[] records() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int length : LENGTHS) {
      all.writeBytes(new byte[] {22, 3, 3, (byte) (length >> 8), (byte) length});
      all.writeBytes(new byte[length]);
    }
    return all.toByteArray();
  }

  /** What came is in native memory in the loop. */
  @ParameterizedTest
  @ValueSource(ints = {0x0102, 0xff80})
  void aLengthIsReadWithoutSign(int length) {
    MemorySegment head = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, (byte) 23, (byte) 3, (byte) 3, (byte) (length >> 8), (byte) length);
    RecordEnd record = new RecordEnd();
    record.read(head, 5);
    assertThat(record.bytes()).isEqualTo(length);
  }
}
