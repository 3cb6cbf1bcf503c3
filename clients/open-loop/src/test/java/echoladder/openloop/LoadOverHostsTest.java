package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.openloop.run.ServerSide;
import echoladder.openloop.shard.ShardLine;
import echoladder.openloop.shard.ShardProcess;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A load over hosts, each of which is a client process here, seen through a clock of its own. */
class LoadOverHostsTest {
  private static final int CONNECTIONS = 50;

  @TempDir private Path dir;
  private final AtomicBoolean lost = new AtomicBoolean();
  private final List<Phase> phases = new ArrayList<>();

  /** A host whose clock is so far ahead, and that takes its time to say that it was told of the ramp. */
  private record Host(String name, LoadPlan plan, long aheadNs, Duration rampTold, AtomicBoolean lost) implements ClientHost {
    @Override
    public int shards() {
      return 1;
    }

    @Override
    public int loops() {
      return 1;
    }

    @Override
    public ShardLine open() throws IOException {
      ShardProcess process = ShardProcess.start();
      return new ShardLine() {
        @Override
        public String name() {
          return Host.this.name;
        }

        @Override
        public String ask(String request) throws IOException {
          if (lost.get()) {
            throw new HostLostException("host " + Host.this.name + " is gone");
          }
          ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(request);
          for (String time : List.of("startNs", "endNs")) {
            tree.put(time, tree.get(time).longValue() - aheadNs);
          }
          String told = process.ask(tree.toString());
          if (tree.path("op").asString().equals("RAMP")) {
            LockSupport.parkNanos(rampTold.toNanos());
          }
          return told;
        }

        @Override
        public long clockAheadNs() {
          return aheadNs;
        }

        @Override
        public void close() {
          if (lost.get()) {
            process.kill();
          }
          process.close();
        }
      };
    }
  }

  private LoadOverHosts client(long aheadNs, Duration rampTold) {
    return new LoadOverHosts(
        plan ->
            List.of(
                new Host("c1", plan.part(30, 11, List.of(), null), 0, rampTold, new AtomicBoolean()),
                new Host("c2", plan.part(20, 12, List.of(), null), aheadNs, rampTold, lost)),
        new ServerSide(null, null));
  }

  private LoadResult run(LoadOverHosts client, LoadPlan plan) throws IOException {
    return client.run(
        plan,
        dir.resolve("load.hlog"),
        new LoadListener() {
          @Override
          public void phase(Phase phase, long monotonicNs) {
            phases.add(phase);
            if (phase == Phase.STEADY && plan.seed() == 13) {
              lost.set(true);
            }
          }

          @Override
          public void progress(Progress progress) {}
        });
  }

  @ParameterizedTest
  @EnumSource(Schedule.class)
  void partsAddUpToTheWholeWhateverTheirClocksShow(Schedule schedule) throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      // Told so slowly, all have ended their ramp before the beginning that counts is announced.
      Duration rampTold = Duration.ofMillis(schedule == Schedule.CONSTANT ? 120 : 0);
      LoadOverHosts client = client(Duration.ofHours(30).toNanos(), rampTold);
      LoadPlan plan = Measured.plan(server.target(), CONNECTIONS, 500, Duration.ofSeconds(2)).schedule(schedule).build();
      LoadResult whole = run(client, plan);

      assertThat(phases)
          .containsExactly(Phase.RAMP, Phase.WARM_UP, Phase.STEADY, Phase.DRAIN, Phase.HOLD, Phase.ROLL_CALL);
      assertThat(whole.connections().established()).isEqualTo(CONNECTIONS);
      assertThat(whole.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(whole.pace().rampSeconds()).isPositive();
      assertThat(whole.condition().shards()).isEqualTo(2);
      assertThat(client.byHost()).extracting(Map.Entry::getKey).containsExactly("c1", "c2");
      List<LoadResult> parts = client.byHost().stream().map(Map.Entry::getValue).toList();
      assertThat(parts).extracting(part -> part.connections().established()).containsExactly(30, 20);
      assertThat(parts.stream().mapToLong(part -> part.messages().scheduled()).sum()).isEqualTo(whole.messages().scheduled());
      assertThat(parts.stream().mapToLong(part -> part.messages().answered()).sum()).isEqualTo(whole.messages().answered());
      assertThat(whole.messages().answered()).isEqualTo(whole.messages().scheduled());
      if (schedule != Schedule.POISSON && schedule != Schedule.JITTERED) {
        assertThat(whole.messages().scheduled()).isEqualTo(1_000);
        assertThat(parts).extracting(part -> part.messages().scheduled()).containsExactly(600L, 400L);
      }
      long slowest = parts.stream().mapToLong(part -> part.times().response().maxNs()).max().orElseThrow();
      assertThat(whole.times().response().maxNs()).isEqualTo(slowest);
      assertThat(whole.times().response().maxNs()).isLessThan(Duration.ofMinutes(1).toNanos());
    }
  }

  /** A server that gives each of two clients, whose connections have the same number, what the other one sent. */
  @Test
  void anEchoThatWasMeantForAnotherHostIsWrong() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> crossing(listener));
      LoadOverHosts client =
          new LoadOverHosts(
              plan ->
                  List.of(
                      new Host("c1", plan.part(1, 11, List.of(), null), 0, Duration.ZERO, new AtomicBoolean()),
                      new Host("c2", plan.part(1, 12, List.of(), null), 0, Duration.ZERO, new AtomicBoolean())),
              new ServerSide(null, null));
      LoadResult result =
          run(client, Measured.plan(new Target("127.0.0.1", listener.getLocalPort()), 2, 100, Duration.ofSeconds(1)).build());
      assertThat(result.errors()).containsEntry("first echo wrong", 2L);
      assertThat(result.messages().echoMismatches()).isEqualTo(2);
      assertThat(result.connections().established()).isZero();
    }
  }

  private static void crossing(ServerSocket listener) {
    try (Socket one = listener.accept();
        Socket other = listener.accept()) {
      byte[] ofOne = one.getInputStream().readNBytes(Measured.MESSAGE_BYTES);
      byte[] ofOther = other.getInputStream().readNBytes(Measured.MESSAGE_BYTES);
      one.getOutputStream().write(ofOther);
      other.getOutputStream().write(ofOne);
      one.getInputStream().readAllBytes();
      other.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The clients have left.
      return;
    }
  }

  @Test
  void aHostThatIsLostIsNamed() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadOverHosts client = client(0, Duration.ZERO);
      LoadResult result = run(client, Measured.plan(server.target(), CONNECTIONS, 500, Duration.ofSeconds(30)).seed(13).build());
      assertThat(result.verdictReasons()).containsExactly(new Reason(ReasonCode.HOST_LOST, "host c2 is gone"));
      assertThat(client.byHost()).isEmpty();
      assertThat(phases).doesNotContain(Phase.HOLD);
    }
  }
}
