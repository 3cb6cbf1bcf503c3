package echoladder.harness.host;

import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.client.tls.TrustedSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection by the harness itself to a server that is to speak TLS, before any load, by the JDK: its chain and name are verified,
 * a few bytes must come back, and the server's close_notify behind that of the client.
 */
public final class TlsCheck {
  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);
  private static final Duration BOUND = Duration.ofSeconds(10);

  private TlsCheck() {}

  /**
   * Throws an {@link IOException} that says what was wrong.
   *
   * @param source address to connect from; null = the kernel's choice
   * @param asked with authorities at which the server's chain must end
   */
  public static void of(Target target, @Nullable String source, Tls asked) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) BOUND.toMillis());
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(target.host(), target.port()), (int) BOUND.toMillis());
      try (SSLSocket tls =
          (SSLSocket) TrustedSockets.context(Objects.requireNonNull(asked.authorities(), "authorities")).getSocketFactory()
              .createSocket(socket, asked.serverName(), target.port(), true)) {
        talk(tls, asked.version());
      }
    } catch (SocketTimeoutException e) {
      throw failed(target, "no whole answer within %d s, the bound".formatted(BOUND.toSeconds()), e);
    } catch (IOException e) {
      throw failed(target, String.valueOf(e.getMessage()), e);
    }
  }

  private static IOException failed(Target target, String why, IOException cause) {
    return new IOException("echo check over TLS of " + target + " failed: " + why, cause);
  }

  private static void talk(SSLSocket tls, String version) throws IOException {
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(new String[] {TrustedSockets.protocol(version)});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    tls.getOutputStream().write(WORDS);
    byte[] echoed = tls.getInputStream().readNBytes(WORDS.length);
    if (!Arrays.equals(echoed, WORDS)) {
      throw new IOException(
          "%d bytes were sent and %d came back%s"
              .formatted(WORDS.length, echoed.length, echoed.length == WORDS.length ? ", other ones" : ""));
    }
    tls.shutdownOutput();
    if (tls.getInputStream().read() >= 0) {
      throw new IOException("more came back than was sent");
    }
  }
}
