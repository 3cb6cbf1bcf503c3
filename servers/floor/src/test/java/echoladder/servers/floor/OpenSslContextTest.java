package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.linux.sockets.KernelTls;
import echoladder.servers.kit.options.CannotRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSslContextTest {
  @Test
  void theKernelIsAskedForWhereItCanAndElseTheServerDoesNotRun(@TempDir Path dir) throws Exception {
    TlsClients clients = new TlsClients(dir);
    if (KernelTls.missing() == null) {
      assertThatCode(() -> OpenSslContext.of(clients.options, TlsEngine.KERNEL)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> OpenSslContext.of(clients.options, TlsEngine.KERNEL))
          .isInstanceOf(CannotRun.class)
          .hasMessageStartingWith("--tls-engine kernel: this kernel makes no TLS records")
          .hasMessageContaining("modprobe tls")
          .hasMessageEndingWith("--tls-engine openssl needs none");
    }
  }
}
