package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of a control process. */
class HostServerTest {
  private static final long BOUND_NS = 60_000_000_000L;

  @TempDir private Path dir;

  private static ServerOrder order(String behaviour) {
    return new ServerOrder("fake", Map.of("behaviour", behaviour), null, "127.0.0.1", null, 77, BOUND_NS);
  }

  @Test
  void whateverBytesAServerPrintedItsLogComesBackAndTheNextOneCanBeStarted() throws Exception {
    try (HostServer server = new HostServer(new TestCheckout(dir).checkout(), _ -> {})) {
      ServerUp up = server.start(order("odd-log"));
      assertThat(up.command()).containsSequence("--backlog", "77");
      HostReplies.Stopped stopped = server.stop(0);
      assertThat(stopped.done()).isNull();
      assertThat(stopped.log()).contains("\ufffd is no UTF-8").endsWith("\n[hs_err_pid7.log]\nSIGSEGV");
      server.start(order("good"));
      assertThat(server.stop(0).log()).doesNotContain("no UTF-8", "hs_err");
    }
  }
}
