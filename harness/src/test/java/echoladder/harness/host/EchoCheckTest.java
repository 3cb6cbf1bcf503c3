package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThatCode;

import echoladder.client.Protocol;
import echoladder.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The one message before a load, against sockets of the test. */
class EchoCheckTest {
  /** For so long the server looks for a FIN before it answers. */
  private static final int LOOK_MS = 300;

  /** A load does not half-close either while it waits for an echo. */
  @Test
  void aServerThatDropsItsAnswerAtAFinIsAnEchoServerStill() throws Exception {
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread server = Thread.ofVirtual().start(() -> echoUnlessEnded(port));
      assertThatCode(() -> EchoCheck.of(Protocol.TCP, new Target("127.0.0.1", port.getLocalPort()), null)).doesNotThrowAnyException();
      server.join();
    }
  }

  private static void echoUnlessEnded(ServerSocket port) {
    try (Socket client = port.accept()) {
      byte[] bytes = new byte[1 << 10];
      int read = client.getInputStream().read(bytes);
      client.setSoTimeout(LOOK_MS);
      try {
        client.getInputStream().read();
      } catch (SocketTimeoutException e) {
        client.getOutputStream().write(Arrays.copyOf(bytes, read));
        client.setSoTimeout(0);
        client.getInputStream().read();
      }
    } catch (IOException e) {
      // The test sees what the other end has to say of it.
    }
  }
}
