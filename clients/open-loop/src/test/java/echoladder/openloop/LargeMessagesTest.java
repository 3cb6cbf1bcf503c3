package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A message larger than what a socket takes at once: its echo begins before all of it has been sent. */
@Timeout(120)
class LargeMessagesTest {
  private static final int MESSAGE_BYTES = 8 << 20;

  @TempDir private Path folder = Path.of("");

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // The client has ended.
    }
  }

  private static void accept(ServerSocket listener) {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> echo(socket));
      }
    } catch (IOException e) {
      // The listener was closed: the test is over.
    }
  }

  @Test
  void anEchoThatBeginsBeforeTheMessageIsSentIsNoSurplus() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> accept(listener));
      LoadPlan plan =
          Measured.plan(new Target("127.0.0.1", listener.getLocalPort()), 3, 6, Duration.ofSeconds(1))
              .messageBytes(MESSAGE_BYTES)
              .connectTimeout(Duration.ofMinutes(1))
              .drain(Duration.ofMinutes(1))
              .build();
      LoadResult result =
          new OpenLoopClient(ClientProcess.javaCommand(), folder.resolve("client.log"))
              .run(plan, folder.resolve("load.hlog"), new LoadListener() {
                    @Override
                    public void phase(Phase phase, long monotonicNs) {}

                    @Override
                    public void progress(Progress progress) {}
                  });
      assertThat(result.errors()).isEmpty();
      assertThat(result.connections().established()).isEqualTo(3);
      assertThat(result.messages().echoMismatches()).isZero();
      assertThat(result.messages().answered()).isEqualTo(result.messages().scheduled()).isPositive();
    }
  }
}
