package echoladder.servers.contract.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.client.tls.TrustedSockets;
import echoladder.servers.contract.RunningServer;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A client over TLS by the JDK, which verifies the server's chain and name. */
final class TlsPeer implements AutoCloseable {
  private static final SSLContext CONTEXT = TrustedSockets.context(TlsServer.certificate().authority());
  private static final String BARE_END = "the server ended the connection without close_notify";

  private final Socket socket = new WithoutEnd();
  private final SSLSocket tls;
  private final Speech speech;
  private final InputStream in;
  private boolean ended;

  /** A socket whose end is an error: TLS has an end of its own, which the JDK does not insist on. */
  private static final class WithoutEnd extends Socket {
    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          return notEnded(super.read());
        }

        @Override
        public int read(byte[] into, int from, int bytes) throws IOException {
          return notEnded(super.read(into, from, bytes));
        }
      };
    }

    private static int notEnded(int read) throws IOException {
      if (read < 0) {
        throw new IOException(BARE_END);
      }
      return read;
    }
  }

  /**
   * Connects, shakes hands, and does what comes before the first message.
   *
   * @param bufferBytes the size of the socket's buffers; 0 = the kernel's choice
   */
  TlsPeer(InetSocketAddress server, Protocol protocol, String version, int bufferBytes) throws IOException {
    speech = Speech.of(protocol);
    if (bufferBytes > 0) {
      socket.setReceiveBufferSize(bufferBytes);
      socket.setSendBufferSize(bufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) RunningServer.LONG.toMillis());
    socket.connect(server, (int) RunningServer.LONG.toMillis());
    tls = (SSLSocket) CONTEXT.getSocketFactory().createSocket(socket, ThrowawayCertificate.NAME, server.getPort(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(new String[] {TrustedSockets.protocol(version)});
    String offered = Tls.offered(protocol);
    if (offered != null) {
      parameters.setApplicationProtocols(new String[] {offered});
    }
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    in = new BufferedInputStream(tls.getInputStream());
    speech.begin(in, tls.getOutputStream());
  }

  /** Bytes that differ by seed and place. */
  static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  SSLSocket tls() {
    return tls;
  }

  int port() {
    return socket.getLocalPort();
  }

  void send(byte[] bytes) throws IOException {
    tls.getOutputStream().write(speech.message(bytes));
  }

  void expect(byte[] expected) throws IOException {
    byte[] got = speech.echo(in, expected.length);
    assertThat(Arrays.mismatch(got, expected)).as("first wrong byte of %d, %d came back", expected.length, got.length).isEqualTo(-1);
  }

  /** Sends what a server that is told to stop has to work off, once it has arrived. */
  void sendWork(byte[] bytes) throws IOException {
    tls.getOutputStream().write(speech.work(bytes));
  }

  /** What comes for {@link #sendWork} is right. */
  void expectWork(byte[] bytes) throws IOException {
    speech.expectWork(in, bytes);
  }

  /** Sends in the background, as the server may take it only once it is read from. */
  void echo(byte[] bytes) throws IOException {
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> {
              try {
                send(bytes);
              } catch (IOException e) {
                throw new AssertionError("send of " + bytes.length + " B", e);
              }
            },
            task -> Thread.ofVirtual().start(task));
    expect(bytes);
    sending.join();
  }

  /** Says the end of this side by close_notify. */
  void sayEnd() throws IOException {
    ended = true;
    tls.shutdownOutput();
  }

  /** Ends this side by a FIN alone. */
  void fin() throws IOException {
    ended = true;
    socket.shutdownOutput();
  }

  /** The next thing to come is the server's close_notify; its FIN alone is none. */
  void expectEnd() throws IOException {
    assertThat(speech.ended(in, ended ? null : tls.getOutputStream())).as("end of stream").isTrue();
  }

  /** Closes the socket without a word of TLS. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
