package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.Errno;
import echoladder.linux.openssl.TrafficKeys;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be shown of TLS in the kernel on a kernel without it. */
class KernelTlsTest {
  /** The secrets, keys and IVs of RFC 8448, 3; of the IV the kernel wants the beginning as the salt, behind the key. */
  @ParameterizedTest
  @CsvSource({
    "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5, 17422dda596ed5d9acd890e3c63f5051, 5b78923d, ee08579033e523d9",
    "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643, 9f02283b6c9c07efc26bb9f2ac92e356, cf782b88, dd83549aadf1e984"
  })
  void theKernelIsToldTheKeysOfTheRfc(String secret, String key, String salt, String iv) {
    Arena arena = Arena.ofAuto();
    MemorySegment from = arena.allocateFrom(ValueLayout.JAVA_BYTE, HexFormat.of().parseHex(secret));
    MemorySegment keyAndIv = arena.allocate(TrafficKeys.KEY_BYTES + TrafficKeys.IV_BYTES);
    TrafficKeys derived = new TrafficKeys(arena);
    derived.key(from.address(), keyAndIv.address());
    derived.iv(from.address(), keyAndIv.address() + TrafficKeys.KEY_BYTES);
    MemorySegment info = arena.allocate(KernelTls.INFO_BYTES, 8);
    KernelTls.fill(info, keyAndIv, 258);
    assertThat(HexFormat.of().formatHex(info.toArray(ValueLayout.JAVA_BYTE))).isEqualTo("04033300" + iv + key + salt + "0000000000000102");
  }

  @Test
  void aKernelWithoutItIsToldOfWithWhatToDo() {
    assertThat(KernelTls.missing("\"tls\" by TCP_ULP", "ENOENT", "is 'mptcp'"))
        .contains(
            "setsockopt of \"tls\" by TCP_ULP failed with ENOENT", "net.ipv4.tcp_available_ulp is 'mptcp'", "CONFIG_TLS",
            "modprobe -a tls gcm", "./ladder lab");
  }

  /** A kernel without it refuses the socket before it looks for a connection, with another error. */
  @Test
  void whatATrialSaysIsWhatASocketWithoutAConnectionSays() {
    SystemCalls sys = new SystemCalls();
    int fd = sys.tcpSocket();
    try {
      int r = new KernelTls(sys).attach(fd);
      assertThat(r).isNegative();
      String missing = KernelTls.missing();
      if (r == -Errno.ENOTCONN) {
        assertThat(missing == null || missing.contains("AES-128-GCM")).isTrue();
      } else {
        assertThat(missing).contains(Errno.name(r));
      }
    } finally {
      sys.close(fd);
    }
  }
}
