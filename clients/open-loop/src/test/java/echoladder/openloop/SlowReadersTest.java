package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Protocol;
import echoladder.client.ReasonCode;
import echoladder.client.Schedule;
import echoladder.client.SlowReaders;
import echoladder.client.Target;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.TimeKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections of a load that echoes which read nothing or little: against a server whose thread of each blocks on its write. */
class SlowReadersTest {
  private static final int CONNECTIONS = 20;
  private static final int MESSAGE_BYTES = 16 << 10;
  private static final double RATE_PER_S = 900;
  private static final Duration STEADY = Duration.ofSeconds(1);

  /** What tells of the server, whatever the host does meanwhile. */
  private static final Set<ReasonCode> OF_SERVER =
      EnumSet.of(
          ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.ECHO_MISMATCH,
          ReasonCode.UNANSWERED, ReasonCode.TOO_LITTLE_INTENDED);

  /** Echoes on a thread of each connection, which writes what it has read before it reads on. */
  private static final class BlockingEcho implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    BlockingEcho() throws IOException {
      Thread.ofVirtual().start(this::accept);
    }

    Target target() {
      return new Target("127.0.0.1", listener.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          open.add(socket);
          Thread.ofVirtual().start(() -> echo(socket));
        }
      } catch (IOException e) {
        assertThat(listener.isClosed()).as("%s", e).isTrue();
      }
    }

    private void echo(Socket socket) {
      try (socket) {
        byte[] bytes = new byte[MESSAGE_BYTES];
        int n = socket.getInputStream().read(bytes);
        while (n > 0) {
          socket.getOutputStream().write(bytes, 0, n);
          n = socket.getInputStream().read(bytes);
        }
      } catch (IOException _) {
        // The client resets connections whose answers it has not read.
      }
    }

    void endAll() {
      for (Socket socket : open) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  private static LoadPlan.Builder plan(BlockingEcho server, SlowReaders slow) {
    return Measured.plan(server.target(), CONNECTIONS, RATE_PER_S, STEADY).messageBytes(MESSAGE_BYTES).slowReaders(slow);
  }

  private static Set<ReasonCode> ofServer(Measured load) {
    Set<ReasonCode> reasons = load.reasons();
    reasons.retainAll(OF_SERVER);
    return reasons;
  }

  @ParameterizedTest
  @CsvSource({"1, CONSTANT", "2, POISSON"})
  void whoReadsNothingSendsOnAndNothingOfItCounts(int loops, Schedule schedule) throws Exception {
    try (BlockingEcho server = new BlockingEcho()) {
      Measured load = Measured.run(plan(server, SlowReaders.ofShare(0.1)).loops(loops).schedule(schedule));
      assertThat(ofServer(load)).isEmpty();
      LoadResult result = load.result();
      LoadResult.Messages messages = result.messages();
      // The rate is that of the eighteen who read.
      assertThat((double) messages.scheduled()).isBetween(0.8 * RATE_PER_S * STEADY.toSeconds(), 1.2 * RATE_PER_S * STEADY.toSeconds());
      assertThat(messages.answered()).isEqualTo(messages.scheduled());
      assertThat(messages.failed() + messages.unanswered()).isZero();
      assertThat(load.times(TimeKind.RESPONSE).getTotalCount()).isEqualTo(messages.answered());
      assertThat(result.connections().held()).isEqualTo(18);
      assertThat(result.connections().lost() + result.connections().reset()).isZero();
      SlowReaderFigures slow = result.crowd().slow();
      assertThat(slow.slowReaders()).isEqualTo(slow.slowReadersOpen()).isEqualTo(2);
      assertThat(slow.slowReadersEnded()).isZero();
      assertThat(slow.slowReadersReadBytes()).isZero();
      // A slow one is due as many messages as any other, and what was late when it began to be slow; its socket may take less.
      long each = messages.scheduled() / 18 * MESSAGE_BYTES;
      assertThat(Objects.requireNonNull(slow.slowReadersOwedBytes())).isGreaterThan(each);
      assertThat(slow.slowReadersSentBytes()).isPositive().isLessThanOrEqualTo(slow.slowReadersOwedBytes());
      // What was echoed to it waits in its socket, at the least.
      assertThat(slow.slowReadersClientBytes()).isGreaterThan(MESSAGE_BYTES);
    }
  }

  @Test
  void whoReadsSlowlyReadsNoMoreThanItsRate() throws Exception {
    long perS = 100_000;
    long beginning = System.nanoTime();
    try (BlockingEcho server = new BlockingEcho()) {
      Measured load = Measured.run(plan(server, new SlowReaders(0.1, perS)));
      double seconds = (System.nanoTime() - beginning) / 1e9;
      assertThat(ofServer(load)).isEmpty();
      SlowReaderFigures slow = load.result().crowd().slow();
      assertThat(slow.slowReadersReadBytes()).isPositive().isLessThanOrEqualTo((long) (2 * perS * seconds));
      assertThat(slow.slowReadersReadBytes()).isLessThan(Objects.requireNonNull(slow.slowReadersOwedBytes()));
    }
  }

  /** The server ends every connection when the steady state begins. Those who read are lost, those who do not are ended. */
  @Test
  void anEndOfASlowReaderIsTimedAndNoLoss() throws Exception {
    try (BlockingEcho server = new BlockingEcho()) {
      Measured load =
          Measured.run(
              plan(server, SlowReaders.ofShare(0.5)).drain(Duration.ofMillis(200)),
              phase -> {
                if (phase == Phase.STEADY) {
                  server.endAll();
                }
              });
      SlowReaderFigures slow = load.result().crowd().slow();
      LoadResult.Connections connections = load.result().connections();
      assertThat(slow.slowReaders()).isEqualTo(slow.slowReadersEnded()).isEqualTo(10);
      assertThat(slow.slowReadersOpen()).isZero();
      assertThat(load.times(TimeKind.SLOW_READER_ENDED).getTotalCount()).isEqualTo(10);
      assertThat(connections.lost() + connections.reset()).isEqualTo(10);
    }
  }

  @Test
  void thePartIsOfThoseThatSendAndOneAtLeast() {
    assertThat(SlowReaders.ofShare(0.01).readers(10)).isEqualTo(9);
    assertThat(SlowReaders.ofShare(0.1).readers(500)).isEqualTo(450);
    assertThat(SlowReaders.NONE.readers(500)).isEqualTo(500);
    // Half of twenty send, in two slices: of these ten the last two are slow.
    SlowReaders two = SlowReaders.ofShare(0.2);
    assertThat(two.among(new Slice(0, 2, 20, 10)).cardinality() + two.among(new Slice(1, 2, 20, 10)).cardinality()).isEqualTo(2);
    assertThat(SlowReaders.NONE.among(new Slice(0, 2, 20, 10)).isEmpty()).isTrue();
  }

  @Test
  void aPlanSaysWhatDoesNotGoWithIt() {
    Target target = new Target("127.0.0.1", 9);
    LoadPlan.Builder plan = LoadPlan.builder(target, 10, 100, STEADY).slowReaders(SlowReaders.ofShare(0.1));
    assertThat(plan.build().sendsPerSecond()).isEqualTo(100 * 10 / 9.0);
    assertThatThrownBy(() -> plan.schedule(Schedule.BURST).build()).hasMessageContaining("constant, jittered or poisson with slow-readers");
    plan.schedule(Schedule.CONSTANT);
    assertThatThrownBy(() -> plan.churn(new Churn(1, Churn.Lifetime.FIXED)).build()).hasMessageContaining("not with slow-readers");
    plan.churn(null);
    assertThatThrownBy(() -> plan.protocol(Protocol.HTTP).build()).hasMessageContaining("over TCP, with messages at a rate");
    plan.protocol(Protocol.TCP);
    assertThatThrownBy(() -> plan.activeShare(0.1).build()).hasMessageContaining("two connections that send at least");
    assertThatThrownBy(() -> SlowReaders.ofShare(0.6)).hasMessageContaining("0 to 0.5");
    assertThatThrownBy(() -> new SlowReaders(0.1, -1)).hasMessageContaining("slow-readers-rate");
  }
}
