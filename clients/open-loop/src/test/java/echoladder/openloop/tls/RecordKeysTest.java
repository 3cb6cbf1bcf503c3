package echoladder.openloop.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.openssl.TrafficKeys;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys and records against the trace of RFC 8448, 3 (Simple 1-RTT Handshake). */
class RecordKeysTest {
  static final byte[] CLIENT_SECRET = hex("9e40646ce79a7f9dc05af8889bce6552 875afa0b06df0087f792ebb7c17504a5");
  static final byte[] SERVER_SECRET = hex("a11af9f05531f856ad47116b45a95032 8204b4f44bfb6b3a4b4f1f3fcb631643");
  private static final String CLIENT_RECORD =
      """
      1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b
      9819a8a5b46b395bd54a9a20441e2b62974e1f5a6292a2977014bd1e3deae63aee
      bb21694915e4""";
  private static final String CLIENT_CLOSE_NOTIFY = "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3";
  private static final String SERVER_TICKET =
      """
      17030300de3a6b8f90414a97d6959c3487680de5134a2b240e6cffac116e95d41d
      6af8f6b580dcf3d11d63c758db289a015940252f55713e061dc13e078891a38efb
      cf5753ad8ef170ad3c7353d16d9da773b9ca7f2b9fa1b6c0d4a3d03f75e09c30ba
      1e62972ac46f75f7b981be63439b2999ce13064615139891d5e4c5b406f16e3fc1
      81a77ca475840025db2f0a77f81b5ab05b94c01346755f69232c86519d86cbeeac
      87aac347d143f9605d64f650db4d023e70e952ca49fe5137121c74bc2697687e24
      8746d6df353005f3bce18696129c8153556b3b6c6779b37bf15985684f""";
  private static final String SERVER_RECORD =
      """
      17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e3
      0efaf97d90e6dffc602dcb501a59a8fcc49c4bf2e5f0a21c0047c2abf332540dd0
      32e167c2955d""";
  private static final String SERVER_CLOSE_NOTIFY = "1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9";
  private static final byte[] PAYLOAD = payload();
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment from = arena.allocate(1_024);
  private final MemorySegment to = arena.allocate(1_024);
  private RecordKeys keys;

  @BeforeEach
  void begin() {
    keys = new RecordKeys(2);
    // Not the first: each connection has keys of its own.
    keys.begin(0, SERVER_SECRET, CLIENT_SECRET);
    keys.begin(1, CLIENT_SECRET, SERVER_SECRET);
  }

  @AfterEach
  void end() {
    keys.close();
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
  }

  private static byte[] payload() {
    byte[] bytes = new byte[50];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private byte[] kept(int at, int bytes) {
    return keys.slab.asSlice((long) RecordKeys.CONNECTION_BYTES + at, bytes).toArray(JAVA_BYTE);
  }

  private byte[] sealed(int type, byte... bytes) {
    MemorySegment.copy(bytes, 0, from, JAVA_BYTE, 0, bytes.length);
    int length = keys.seal(1, type, from.address(), bytes.length, to.address());
    return to.asSlice(0, length).toArray(JAVA_BYTE);
  }

  private byte[] opened(String record) {
    byte[] bytes = hex(record);
    MemorySegment.copy(bytes, 0, from, JAVA_BYTE, 0, bytes.length);
    int length = keys.open(1, from.address(), bytes.length, to.address());
    assertThat(length).isPositive();
    return to.asSlice(0, length).toArray(JAVA_BYTE);
  }

  @Test
  void keysAndIvsAreThoseOfTheRfc() {
    int server = RecordKeys.DIRECTION_BYTES;
    assertThat(kept(RecordKeys.KEY, TrafficKeys.KEY_BYTES)).isEqualTo(hex("17422dda596ed5d9acd890e3c63f5051"));
    assertThat(kept(RecordKeys.IV, TrafficKeys.IV_BYTES)).isEqualTo(hex("5b78923dee08579033e523d9"));
    assertThat(kept(server + RecordKeys.KEY, TrafficKeys.KEY_BYTES)).isEqualTo(hex("9f02283b6c9c07efc26bb9f2ac92e356"));
    assertThat(kept(server + RecordKeys.IV, TrafficKeys.IV_BYTES)).isEqualTo(hex("cf782b88dd83549aadf1e984"));
  }

  @Test
  void theClientSealsTheRecordsOfTheRfc() {
    assertThat(sealed(23, PAYLOAD)).isEqualTo(hex(CLIENT_RECORD));
    assertThat(sealed(21, (byte) 1, (byte) 0)).isEqualTo(hex(CLIENT_CLOSE_NOTIFY));
  }

  @Test
  void theServersRecordsAreOpenedInTheirOrder() {
    byte[] ticket = opened(SERVER_TICKET);
    assertThat(ticket).hasSize(206).startsWith(4, 0, 0, 0xc9).endsWith(22);
    assertThat(opened(SERVER_RECORD)).hasSize(51).startsWith(PAYLOAD).endsWith(23);
    assertThat(opened(SERVER_CLOSE_NOTIFY)).containsExactly(1, 0, 21);
  }

  @Test
  void aRecordOutOfItsTurnIsNotOpened() {
    byte[] second = hex(SERVER_RECORD);
    MemorySegment.copy(second, 0, from, JAVA_BYTE, 0, second.length);
    assertThat(keys.open(1, from.address(), second.length, to.address())).isEqualTo(-1);
  }

  @Test
  void aConnectionTakesAtMost256Bytes() {
    assertThat(keys.bytes()).isEqualTo(2L * RecordKeys.CONNECTION_BYTES).isLessThanOrEqualTo(2L * 256);
  }
}
