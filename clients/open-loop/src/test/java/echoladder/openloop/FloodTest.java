package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.client.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection whose answer never ends takes no time from the others. */
@Timeout(120)
class FloodTest {
  private static final int CONNECTIONS = 10;
  private static final byte[] HEAD =
      ("HTTP/1.1 200 OK\r\nContent-Length: " + Measured.MESSAGE_BYTES + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENDLESS = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicBoolean flooding = new AtomicBoolean();

  /** Echoes over HTTP; the second request of the first connection that sends one is answered without end. */
  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] request = new byte[4096];
      for (int asked = 0; ; asked++) {
        int n = in.read(request);
        if (n < 0) {
          return;
        }
        if (asked > 0 && flooding.compareAndSet(false, true)) {
          out.write(ENDLESS);
          byte[] more = new byte[1 << 20];
          while (true) {
            out.write(more);
          }
        }
        byte[] answer = new byte[HEAD.length + Measured.MESSAGE_BYTES];
        System.arraycopy(HEAD, 0, answer, 0, HEAD.length);
        System.arraycopy(request, n - Measured.MESSAGE_BYTES, answer, HEAD.length, Measured.MESSAGE_BYTES);
        out.write(answer);
      }
    } catch (IOException e) {
      // The client has ended.
    }
  }

  private void accept(ServerSocket listener) {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // The listener was closed: the test is over.
    }
  }

  @Test
  void theOthersAreAnsweredMeanwhile() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(listener));
      Measured load =
          Measured.run(
              Measured.plan(new Target("127.0.0.1", listener.getLocalPort()), CONNECTIONS, 200, Duration.ofSeconds(2))
                  .protocol(Protocol.HTTP)
                  .drain(Duration.ofSeconds(1)));
      assertThat(flooding).isTrue();
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      assertThat(load.result().messages().unanswered()).as("those of the one connection").isBetween(1L, load.result().messages().scheduled() / 5);
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled() - load.result().messages().unanswered());
    }
  }
}
