package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.LoadListener;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.Stamps;
import echoladder.client.websocket.Frames;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import echoladder.openloop.testserver.WebSocketServer;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Server time has all that the server took, and nothing of what the client did late. */
class ServerTimeTest {
  private static final Duration STEADY = Duration.ofSeconds(2);
  // Three significant digits of a histogram: a value may stand up to this much below what was recorded.
  private static final double PRECISION = 1 - 1e-3;

  @TempDir private Path folder;

  private static double share(LoadResult result) {
    return Objects.requireNonNull(result.times().stamps().stampedShare());
  }

  @ParameterizedTest
  @EnumSource(Schedule.class)
  void noServerTimeIsShorterThanTheDelayNorLongerThanTheResponse(Schedule schedule) throws Exception {
    Duration delay = Duration.ofMillis(20);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(delay))) {
      Measured load = Measured.run(Measured.plan(server.target(), 100, 1_000, STEADY).schedule(schedule));
      Histogram times = load.times(TimeKind.SERVER);
      assertThat(share(load.result())).isGreaterThanOrEqualTo(Stamps.SHARE_LEAST);
      assertThat(times.getTotalCount()).isEqualTo(load.result().messages().scheduled());
      assertThat(times.getMinValue()).isGreaterThanOrEqualTo((long) (delay.toNanos() * PRECISION));
      assertThat(load.result().times().server().maxNs()).isEqualTo(times.getMaxValue());
      for (int percent = 0; percent <= 100; percent++) {
        assertThat(times.getValueAtPercentile(percent)).isLessThanOrEqualTo(load.responses().getValueAtPercentile(percent));
      }
      assertThat(load.times(TimeKind.LATENESS).getTotalCount()).as("that of every message").isEqualTo(load.result().messages().scheduled());
    }
  }

  @Test
  void anAnswerInPiecesHasArrivedWithItsLast() throws Exception {
    Duration between = Duration.ofMillis(30);
    Answers halves =
        (in, out) -> {
          byte[] message = new byte[Measured.MESSAGE_BYTES];
          while (true) {
            in.readFully(message);
            out.write(message, 0, message.length / 2);
            Thread.sleep(between);
            out.write(message, message.length / 2, message.length / 2);
          }
        };
    Measured load = Measured.run(Measured.plan(halves.serve(), 1, 10, STEADY));
    assertThat(share(load.result())).isGreaterThanOrEqualTo(Stamps.SHARE_LEAST);
    assertThat(load.times(TimeKind.SERVER).getTotalCount()).isEqualTo(load.result().messages().scheduled()).isPositive();
    assertThat(load.times(TimeKind.SERVER).getMinValue()).isGreaterThanOrEqualTo((long) (between.toNanos() * PRECISION));
  }

  /** What a server of one connection does until that ends. */
  private interface Answers {
    void answer(DataInputStream in, OutputStream out) throws IOException, InterruptedException;

    default Target serve() throws IOException {
      ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      Thread.ofPlatform().daemon().start(() -> serve(listener));
      return new Target("127.0.0.1", listener.getLocalPort());
    }

    private void serve(ServerSocket listener) {
      try (listener; Socket peer = listener.accept()) {
        peer.setTcpNoDelay(true);
        answer(new DataInputStream(peer.getInputStream()), peer.getOutputStream());
      } catch (EOFException e) {
        // The load is over.
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A message that waits behind a stalled answer has the wait in its server time, though it is sent when the stall is over. */
  @Test
  void aStallIsInTheServerTimeOfAllThatWasDueInIt() throws Exception {
    Duration stall = Duration.ofMillis(500);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.stalling(stall, Duration.ofSeconds(2)))) {
      Measured load = Measured.run(Measured.plan(server.target(), 50, 1_000, Duration.ofSeconds(4)));
      // On any host the client is late by something, and no more than that may be missing.
      long clientNs = load.times(TimeKind.LATENESS).getMaxValue() + load.times(TimeKind.RECEIVE_DELAY).getMaxValue();
      long slowNs = stall.toNanos() / 5;
      double slow = Measured.shareFrom(load.times(TimeKind.SERVER), slowNs);
      assertThat(slow).isGreaterThanOrEqualTo(Measured.shareFrom(load.responses(), slowNs + clientNs + clientNs / 500));
      assertThat(slow).as("by service time alone").isGreaterThan(1.5 * Measured.shareFrom(load.times(TimeKind.SERVICE), slowNs));
    }
  }

  /** The client stands still for a second of four, with messages due and answers on their way; each connection has one of them at most. */
  @Test
  void whatTheClientDoesLateIsInItsOwnTimes() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(50)))) {
      OpenLoopClient client = new OpenLoopClient(ClientProcess.javaCommand(), folder.resolve("client.log"));
      LoadResult result =
          client.run(
              Measured.plan(server.target(), 4_000, 1_000, Duration.ofSeconds(4)).build(), folder.resolve("load.hlog"),
              new StoppedForASecond(client));
      Map<TimeKind, Histogram> times = Measured.read(folder.resolve("load.hlog"));
      Measured load = new Measured(result, times);
      long half = 500_000_000;
      // Half of the second's 1,000 messages were late by more than half of it.
      assertThat(Measured.shareFrom(load.responses(), half)).isGreaterThan(0.05);
      assertThat(Measured.shareFrom(load.times(TimeKind.LATENESS), half)).isGreaterThan(0.05);
      assertThat(load.times(TimeKind.RECEIVE_DELAY).getMaxValue()).isGreaterThan(half);
      assertThat(Measured.shareFrom(load.times(TimeKind.SERVER), half)).isLessThan(0.01);
      assertThat(result.times().server().p99Ns()).isLessThan(half);
    }
  }

  private static final class StoppedForASecond implements LoadListener {
    private final OpenLoopClient client;
    private boolean done;

    StoppedForASecond(OpenLoopClient client) {
      this.client = client;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {}

    @Override
    public void progress(Progress progress) {
      if (progress.phase() == Phase.STEADY && !done) {
        done = true;
        long pid = Objects.requireNonNull(client.process()).pid();
        try {
          new ProcessBuilder("sh", "-c", "kill -STOP %d; sleep 1; kill -CONT %d".formatted(pid, pid)).start().waitFor();
        } catch (IOException | InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  /** The answer to a request over HTTP, and a message over WebSocket, arrives with its last byte too. */
  @Test
  void otherProtocolsHaveStampsToo() throws Exception {
    try (Misbehaving http = new Misbehaving();
        WebSocketServer webSocket =
            new WebSocketServer((connection, number, message) -> Frames.plain(Frames.BINARY, true, message))) {
      HttpAsk heavy = HttpAsk.get("/api/heavy", http.target(), 200);
      Measured overHttp = Measured.run(Measured.plan(http.target(), 10, 50, STEADY).protocol(Protocol.HTTP).http(heavy));
      assertThat(share(overHttp.result())).isGreaterThanOrEqualTo(Stamps.SHARE_LEAST);
      assertThat(overHttp.times(TimeKind.SERVER).getTotalCount()).isEqualTo(overHttp.result().messages().scheduled());
      assertThat(overHttp.times(TimeKind.SERVER).getMinValue()).isGreaterThanOrEqualTo(Misbehaving.HEAVY_MS * 990_000L);

      Measured frames = Measured.run(Measured.plan(webSocket.target(), 10, 50, STEADY).protocol(Protocol.WEBSOCKET));
      assertThat(share(frames.result())).isGreaterThanOrEqualTo(Stamps.SHARE_LEAST);
      assertThat(frames.times(TimeKind.SERVER).getTotalCount()).isEqualTo(frames.result().messages().scheduled());
    }
  }

  /** The stamp of a read is that of its last byte: for the answers before it, it may be late. */
  @Test
  void answersThatShareAStampAreCounted() throws Exception {
    Answers groups =
        (in, out) -> {
          while (true) {
            byte[] first = in.readNBytes(Measured.MESSAGE_BYTES);
            if (first.length == 0) {
              return;
            }
            Thread.sleep(20);
            byte[] others = in.readNBytes(in.available() / Measured.MESSAGE_BYTES * Measured.MESSAGE_BYTES);
            byte[] all = Arrays.copyOf(first, first.length + others.length);
            System.arraycopy(others, 0, all, first.length, others.length);
            out.write(all);
          }
        };
    LoadResult result = Measured.run(Measured.plan(groups.serve(), 1, 1_000, STEADY).inFlight(64)).result();
    // Of some 20 that are answered together, all but the last.
    long answered = result.messages().answered();
    assertThat(answered).isEqualTo(result.messages().scheduled());
    assertThat(share(result)).isGreaterThanOrEqualTo(Stamps.SHARE_LEAST);
    assertThat(Objects.requireNonNull(result.times().stamps().stampsShared())).isBetween(answered / 2, answered - 1);
  }

  @Test
  void withoutStampsThereIsNoServerTime() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Measured load = Measured.run(Measured.plan(server.target(), 20, 200, Duration.ofSeconds(1)).stamps(false));
      assertThat(load.result().times().stamps()).isEqualTo(Stamps.NONE);
      assertThat(load.result().times().server()).isEqualTo(Percentiles.NONE);
      assertThat(load.times()).doesNotContainKeys(TimeKind.SERVER, TimeKind.RECEIVE_DELAY);
      assertThat(load.times()).containsKeys(TimeKind.RESPONSE, TimeKind.LATENESS, TimeKind.SERVICE);
    }
  }

  @Test
  void tooFewStampsAreNoServerTime() {
    assertThat(Arrays.asList(Stamps.suffice(0, 0), Stamps.suffice(98, 100), Stamps.suffice(99, 100))).containsExactly(false, false, true);
    assertThat(Stamps.of(0, 0, 0, 0).stampedShare()).isNull();
    assertThat(Stamps.of(200, 100, 3, 4)).isEqualTo(new Stamps(0.5, 3L, 4L));
  }
}
