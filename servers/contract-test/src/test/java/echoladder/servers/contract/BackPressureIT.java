package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.process.ProcessMemory;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that send and never read cost bounded memory and slow nobody. */
@ExtendWith(ExpectedFailure.class)
class BackPressureIT {
  private static final int DEAF = 4;
  private static final int CLIENT_BUFFER_BYTES = 256 << 10;
  /** What a server may hold for a deaf client beyond the kernel's buffers, generously. */
  private static final long SERVER_BYTES_MAX = 8 << 20;

  private static final long RSS_GROWTH_MAX = 160L << 20;

  @Clause(Clause.Name.BACK_PRESSURE)
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void stopsReadingFromWhoDoesNotRead(Variant variant) throws Exception {
    long kernelBytes = NeverReads.kernelBytes(CLIENT_BUFFER_BYTES, SERVER_BYTES_MAX);
    long mostBytes = kernelBytes + SERVER_BYTES_MAX;
    try (RunningServer server = RunningServer.start(variant)) {
      List<EchoClient> others = server.connect(8);
      others.forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      long rssBefore = rss(server);

      List<Deaf> deaf = new ArrayList<>();
      for (int i = 0; i < DEAF; i++) {
        deaf.add(new Deaf(server, 2 * mostBytes));
      }
      long slowestNs =
          NeverReads.slowestUntilStuckNs(
              () -> {
                others.forEach(client -> client.echo(EchoClient.bytes(2, 64)));
                return others;
              },
              () -> pushed(deaf));
      assertThat(deaf)
          .as("%s: bytes taken from clients that do not read; the kernel's buffers hold %d", server, kernelBytes)
          .allMatch(each -> each.pushed < mostBytes);
      assertThat(rss(server) - rssBefore)
          .as("%s: growth of RSS with %d deaf clients, of which it took %s", server, DEAF, deaf)
          .isLessThan(RSS_GROWTH_MAX);
      assertThat(Duration.ofNanos(slowestNs))
          .as("%s: slowest echo on %d other connections", server, others.size())
          .isLessThan(NeverReads.OTHERS_MAX);

      // Half of them go away in the middle; the others begin to read and get what they are owed.
      for (Deaf each : deaf.subList(0, DEAF / 2)) {
        each.reset();
      }
      for (Deaf each : deaf.subList(DEAF / 2, DEAF)) {
        each.readAll(server);
        each.channel.close();
      }
      others.forEach(EchoClient::close);
      server.awaitOpen(0);
      server.leaksNothing();
    }
  }

  private static long pushed(List<Deaf> deaf) throws IOException {
    long bytes = 0;
    for (Deaf each : deaf) {
      each.push();
      bytes += each.pushed;
    }
    return bytes;
  }

  private static long rss(RunningServer server) {
    return Objects.requireNonNull(ProcessMemory.rssBytes(server.ready().pid()), "the server is gone");
  }

  /** A client that sends a stream of numbers and reads only in the end. */
  private static final class Deaf {
    private final SocketChannel channel;
    private final long mostBytes;
    private long pushed;

    Deaf(RunningServer server, long mostBytes) throws IOException {
      this.mostBytes = mostBytes;
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, CLIENT_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, CLIENT_BUFFER_BYTES);
      channel.connect(server.address());
      channel.configureBlocking(false);
    }

    /** Sends what is taken without waiting. */
    void push() throws IOException {
      while (pushed < mostBytes) {
        int n = channel.write(stream(pushed, 64 << 10));
        pushed += n;
        if (n == 0) {
          return;
        }
      }
    }

    void readAll(RunningServer server) throws IOException {
      channel.configureBlocking(true);
      channel.shutdownOutput();
      ByteBuffer in = ByteBuffer.allocate(64 << 10);
      long read = 0;
      while (channel.read(in.clear()) >= 0) {
        byte[] got = Arrays.copyOf(in.array(), in.position());
        byte[] expected = new byte[got.length];
        stream(read, got.length).get(expected);
        assertThat(Arrays.mismatch(got, expected)).as("%s: wrong byte after %d", server, read).isEqualTo(-1);
        read += got.length;
      }
      assertThat(read).as("%s: bytes that came back at last", server).isEqualTo(pushed);
    }

    @Override
    public String toString() {
      return pushed + " B";
    }

    void reset() throws IOException {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.close();
    }

    /** Bytes {@code from} on, of a stream in which neighbours differ and no short part repeats soon. */
    private static ByteBuffer stream(long from, int count) {
      ByteBuffer bytes = ByteBuffer.allocate(count);
      for (int i = 0; i < count; i++) {
        long at = from + i;
        bytes.put((byte) (at ^ at >>> 8 ^ at >>> 16));
      }
      return bytes.flip();
    }
  }
}
