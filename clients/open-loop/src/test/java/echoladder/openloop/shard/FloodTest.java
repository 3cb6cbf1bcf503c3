package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.CodecThrough;
import echoladder.openloop.Measured;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.loop.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection whose answer never ends takes no time from the others. */
@Timeout(120)
class FloodTest {
  private static final int CONNECTIONS = 10;
  private static final byte[] HEAD =
      ("HTTP/1.1 200 OK\r\nContent-Length: " + Measured.MESSAGE_BYTES + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENDLESS = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** So long does the client take over each buffer that the flood fills: meanwhile it fills the next one. */
  private static final long TAKING_NS = 4_000_000;

  private final AtomicBoolean flooding = new AtomicBoolean();

  /**
   * Echoes over HTTP; the second request of the first connection that sends one gets an answer whose end never comes.
   *
   * @param most bytes of that answer, after which the server says nothing more
   */
  private void serve(Socket socket, long most) {
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
          for (long written = 0; written < most; written += more.length) {
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

  private void accept(ServerSocket listener, long most) {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket, most));
      }
    } catch (IOException e) {
      // The listener was closed: the test is over.
    }
  }

  @Test
  void theOthersAreAnsweredMeanwhile() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(listener, Long.MAX_VALUE));
      Measured load =
          Measured.run(
              Measured.plan(new Target("127.0.0.1", listener.getLocalPort()), CONNECTIONS, 200, Duration.ofSeconds(2))
                  .protocol(Protocol.HTTP)
                  .drain(Duration.ofSeconds(1)));
      assertThat(flooding).isTrue();
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      // No echo is so much longer than its message: the answer is given up, and its connection with it.
      assertThat(load.result().connections().dropped()).isEqualTo(1);
      assertThat(load.result().messages().failed()).as("those of the one connection").isBetween(1L, load.result().messages().scheduled() / 5);
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled() - load.result().messages().failed());
    }
  }

  /** Takes its time over the flood, and counts what the others are answered from its beginning to its end. */
  private static final class Slow extends CodecThrough {
    private int flooded = -1;
    private int answers;
    private long bytes;
    private volatile long floodBytes;
    private volatile int answersMeanwhile;

    Slow(Codec codec) {
      super(codec);
    }

    @Override
    public int take(int connection, long key, MemorySegment in, int from, int to) {
      if (to - from == EventLoop.BUFFER_BYTES) {
        pause(TAKING_NS);
        flooded = connection;
      }
      int at = super.take(connection, key, in, from, to);
      if (connection == flooded) {
        answersMeanwhile = answers;
        bytes += at - from;
        floodBytes = bytes;
      } else if (flooded >= 0 && complete()) {
        answers++;
      }
      return at;
    }
  }

  /** The others' answers do not wait for the last byte of a flood that came all at once: each full read finds the next one. */
  @Test
  void theOthersAreAnsweredBetweenTwoReadsOfAFlood() throws Exception {
    long most = 16 << 20;
    // Of a request that is no echo an answer may be as long as this.
    String request = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 64\r\n\r\n" + "x".repeat(Measured.MESSAGE_BYTES);
    try (ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(listener, most));
      LoadPlan plan =
          Measured.plan(new Target("127.0.0.1", listener.getLocalPort()), CONNECTIONS, 1_000, Duration.ofMinutes(1))
              .protocol(Protocol.HTTP)
              .http(new HttpAsk("/echo", request, 200))
              .build();
      List<Slow> codecs = new CopyOnWriteArrayList<>();
      LocalShard.Codecs slow =
          (loop, failures) -> {
            codecs.add(new Slow(loop.codec(failures)));
            return codecs.getFirst();
          };
      try (LocalShard shard = new LocalShard(plan, Addresses.of(plan, EphemeralPorts.read()), 0, 1, 1, slow)) {
        PhaseAnnouncer announcement = new PhaseAnnouncer(List.of(shard), System::nanoTime);
        announcement.make(100_000_000, Shard::ramp);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> shard.status().rampDone());
        announcement.make(100_000_000, (to, at) -> to.steady(at, at + Duration.ofMinutes(1).toNanos()));
        announcement.make(100_000_000, Shard::schedule);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> codecs.getFirst().floodBytes > most / 2);
      }
      // 128 buffers take half a second at least, and after each four of them others are answered.
      assertThat(codecs.getFirst().answersMeanwhile).as("answers of the others while the flood was read").isGreaterThan(50);
    }
  }
}
