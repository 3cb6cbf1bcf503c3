package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A blocking client; whatever goes wrong fails the test with the server's name. */
final class EchoClient implements AutoCloseable {
  private final RunningServer server;
  private final Socket socket = new Socket();

  EchoClient(RunningServer server) {
    this.server = server;
    run(
        "connect",
        () -> {
          socket.setTcpNoDelay(true);
          socket.setSoTimeout((int) RunningServer.LONG.toMillis());
          socket.connect(server.address(), (int) RunningServer.LONG.toMillis());
        });
  }

  /** Bytes that differ by seed and place. */
  static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  Socket socket() {
    return socket;
  }

  /** Blocks while the server does not take it. */
  void send(byte[] bytes) {
    run("send of " + bytes.length + " B", () -> socket.getOutputStream().write(bytes));
  }

  /** In the background, for what the server may take only once it is read from; to be joined. */
  CompletableFuture<Void> sendBehind(byte[] bytes, boolean thenFin) {
    return CompletableFuture.runAsync(
        () -> {
          send(bytes);
          if (thenFin) {
            fin();
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  void fin() {
    run("FIN", socket::shutdownOutput);
  }

  void expect(byte[] expected) {
    run(
        "receive",
        () -> {
          byte[] got = socket.getInputStream().readNBytes(expected.length);
          int wrong = Arrays.mismatch(got, expected);
          assertThat(wrong)
              .as("%s: first wrong byte of %d, %d came back", server, expected.length, got.length)
              .isEqualTo(-1);
        });
  }

  /** The next thing to come is the end. */
  void expectEnd() {
    run("end", () -> assertThat(socket.getInputStream().read()).as("%s: end of stream", server).isEqualTo(-1));
  }

  void echo(byte[] bytes) {
    send(bytes);
    expect(bytes);
  }

  /** Closes with RST instead of FIN. */
  void reset() {
    run(
        "reset",
        () -> {
          socket.setSoLinger(true, 0);
          socket.close();
        });
  }

  private interface Step {
    void run() throws IOException;
  }

  private void run(String what, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new AssertionError(server + ": " + what + " failed: " + e, e);
    }
  }

  @Override
  public void close() {
    run("close", socket::close);
  }
}
