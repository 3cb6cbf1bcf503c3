package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From the first connection to the end: nothing that was received is lost, and what is told to stop stops in time. */
@ExtendWith(ExpectedFailure.class)
class LifecycleIT {
  private static final int CLIENTS = 20;

  /** Fits into the socket buffers of both ways at once, whatever the host's settings. */
  private static final int IN_FLIGHT_BYTES = 48 << 10;

  /** A server's first connection may be served while its event loops still start: that must not cost the answer at FIN. */
  @Clause(Clause.Name.BYTES_BEFORE_FIN)
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void answersTheFirstConnectionOfAFreshServerThatEndsAtOnce(Variant variant) throws Exception {
    byte[] message = EchoClient.bytes(4, 64);
    try (RunningServer server = RunningServer.start(variant);
        EchoClient first = server.connect()) {
      first.send(message);
      first.fin();
      first.expect(message);
      first.expectEnd();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void echoesWhatIsInFlightWhenTerminated(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant)) {
      List<EchoClient> busy = server.connect(CLIENTS);
      List<EchoClient> idle = server.connect(CLIENTS);
      idle.forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      busy.forEach(client -> client.echo(EchoClient.bytes(2, 64)));
      byte[] flying = EchoClient.bytes(3, IN_FLIGHT_BYTES);
      busy.forEach(client -> client.send(flying));
      server.awaitArrival(busy.stream().map(client -> client.socket().getLocalPort()).collect(Collectors.toSet()));
      long startNs = System.nanoTime();
      server.process().terminate();
      busy.forEach(client -> client.expect(flying));
      busy.forEach(EchoClient::expectEnd);
      idle.forEach(EchoClient::expectEnd);
      assertThat(server.exitStatus()).as("%s: exit status after SIGTERM", server).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - startNs))
          .as("%s: time to drain quiet connections; its limit is %s", server, Variant.DRAIN)
          .isLessThan(Variant.DRAIN);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void givesUpOnWhoNeverReads(Variant variant) throws Exception {
    try (RunningServer server =
        RunningServer.start(variant, List.of(), variant.argv(Duration.ofSeconds(1)))) {
      EchoClient deaf = server.connect();
      byte[] flood = new byte[64 << 20];
      var sending = deaf.sendBehind(flood, false).exceptionally(e -> null);
      server.await("the flood").until(() -> server.metric("echo_received_bytes_total") > 100_000);
      server.process().terminate();
      server.await("no more accepts").until(() -> refused(server));
      assertThat(server.exitStatus()).as("%s: exit status with a client that never reads", server).isZero();
      deaf.close();
      sending.join();
    }
  }

  private static boolean refused(RunningServer server) throws Exception {
    try (Socket socket = new Socket()) {
      socket.connect(server.address(), 1_000);
      return false;
    } catch (ConnectException e) {
      return true;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#defaults")
  void stopsOnSigintAndOnTheEndOfStdin(Variant variant) throws Exception {
    List<CommandRun> runs = new ArrayList<>();
    runs.add(CommandRun.start(variant, variant.argv()));
    runs.add(CommandRun.start(variant, variant.argv()));
    for (CommandRun run : runs) {
      run.awaitLine();
    }
    new ProcessBuilder("sh", "-c", "kill -INT " + runs.get(0).pid()).inheritIO().start().waitFor();
    runs.get(1).closeStdin();
    for (CommandRun run : runs) {
      CommandRun.Outcome outcome = run.end();
      assertThat(outcome.status()).as("%s", outcome).isZero();
      assertThat(outcome.stdout().lines()).as("%s: lines on stdout", outcome).hasSize(1);
    }
  }
}
