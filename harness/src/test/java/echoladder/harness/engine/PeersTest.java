package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections of the harness's own: all have had an echo, or there are none. */
class PeersTest {
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong received = new AtomicLong();
  private ServerSocket listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  /** Serves so many connections with echoes, and closes any other at once. */
  private Target serving(int number) {
    Thread.ofVirtual().start(
        () -> {
          int accepted = 0;
          while (!listener.isClosed()) {
            try {
              Socket socket = listener.accept();
              if (accepted++ < number) {
                Thread.ofVirtual().start(() -> echo(socket));
              } else {
                socket.close();
              }
            } catch (IOException e) {
              return; // The test is over.
            }
          }
        });
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  private void echo(Socket socket) {
    open.incrementAndGet();
    try (socket) {
      byte[] buffer = new byte[100];
      for (int n; (n = socket.getInputStream().read(buffer)) > 0; ) {
        received.addAndGet(n);
        socket.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      open.decrementAndGet();
    }
  }

  @Test
  void eachHasHadAnEchoAndAsksWhenTold() throws Exception {
    try (Peers peers = Objects.requireNonNull(Peers.come(serving(150), 150, () -> false))) {
      assertThat(open).hasValue(150);
      long before = received.get();
      peers.ask();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> received.get() == before + peers.askedBytes());
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> open.get() == 0);
  }

  @Test
  void oneWithoutAnEchoEndsAll() {
    Target target = serving(4);
    assertThatThrownBy(() -> Peers.come(target, 5, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("one of 5 connections to " + target + " had no echo: ");
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> open.get() == 0);
  }

  /** The kernel connects them, and nobody takes them: without the stop each would be waited for until its time is over. */
  @Test
  void aStopEndsTheWait() throws Exception {
    Target target = new Target("127.0.0.1", listener.getLocalPort());
    AtomicInteger looks = new AtomicInteger();
    assertThat(Peers.come(target, 5, () -> looks.incrementAndGet() > 3)).isNull();
  }

  @Test
  void anEchoOfOtherBytesIsNone() {
    Thread.ofVirtual().start(
        () -> {
          try (Socket socket = listener.accept()) {
            byte[] got = new byte[100];
            int n = socket.getInputStream().read(got);
            socket.getOutputStream().write(new byte[n]);
            socket.getInputStream().readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    Target target = new Target("127.0.0.1", listener.getLocalPort());
    assertThatThrownBy(() -> Peers.come(target, 1, () -> false)).hasMessageEndingWith("bytes were sent and others came back");
  }
}
