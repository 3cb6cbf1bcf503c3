package echoladder.servers.contract.websocket;

import static echoladder.servers.contract.OutOfDescriptors.CLIENTS;
import static echoladder.servers.contract.OutOfDescriptors.ERRORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import echoladder.harness.server.ServerManifest;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.servers.contract.CommandRun;
import echoladder.servers.contract.LastDescriptors;
import echoladder.servers.contract.OutOfDescriptors;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Variant;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a WebSocket server starts, does without descriptors, and ends. A process for each test. */
class WebSocketLifecycleIT {
  private static final int BUSY = 20;

  /** Fits into the socket buffers of both ways at once, whatever the host's settings. */
  private static final int IN_FLIGHT_BYTES = 48 << 10;

  private static final int GOING_AWAY = 1001;

  /** Clients that wait until the others have left: fewer than any server has descriptors for. */
  private static final int LATE = 80;

  /** One for the connection and one to find that the next can be had. */
  private static final int SPARE = 2;

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.websocket.WebSocketServer#all")
  void whatIsInFlightComesBackWhenItIsTerminated(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant)) {
      List<WebSocketPeer> busy = WebSocketServer.upgradedAtOnce(server, BUSY);
      List<WebSocketPeer> idle = WebSocketServer.upgradedAtOnce(server, BUSY);
      for (WebSocketPeer peer : idle) {
        peer.echo(Frame.message("hello"));
      }
      Frame flying = Frame.binary(MessagesIT.random(IN_FLIGHT_BYTES));
      for (WebSocketPeer peer : busy) {
        peer.send(flying);
      }
      server.awaitArrival(busy.stream().map(WebSocketPeer::port).collect(Collectors.toSet()));
      long startNs = System.nanoTime();
      server.process().terminate();
      for (WebSocketPeer peer : busy) {
        assertThatCode(() -> peer.expect(flying)).as("%s: what had arrived when it was told to stop", server).doesNotThrowAnyException();
      }
      List<WebSocketPeer> all = new ArrayList<>(busy);
      all.addAll(idle);
      for (WebSocketPeer peer : all) {
        assertThat(peer.ending()).as("%s: how it says goodbye", server).isIn(GOING_AWAY, WebSocketPeer.NO_CLOSE_FRAME);
        peer.close();
      }
      assertThat(server.exitStatus()).as("%s: exit status after SIGTERM", server).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).as("%s: time to drain", server).isLessThan(Variant.DRAIN);
      assertThat(String.join("\n", server.logLines())).doesNotContain("\tat ", "WARNING", "goroutine ");
    }
  }

  /** Neither who does not read nor who does not answer the goodbye keeps it beyond its time. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
  void itEndsInTimeBesideClientsThatDoNothing(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant, List.of(), variant.argv(Duration.ofSeconds(1)));
        WebSocketPeer deaf = WebSocketServer.upgraded(server);
        WebSocketPeer silent = WebSocketServer.upgraded(server)) {
      Flood flood = Flood.ofMessages(deaf, 64 << 20);
      server.await("the flood").until(() -> server.metric("echo_received_bytes_total") > 100_000);
      server.process().terminate();
      assertThat(server.exitStatus()).as("%s: exit status with a client that never reads", server).isZero();
      // Its socket is closed by the server, which ends the flood.
      assertThat(flood.messages()).isPositive();
      assertThat(silent.ending()).as("%s: how it says goodbye", server).isIn(GOING_AWAY, WebSocketPeer.NO_CLOSE_FRAME);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
  @Tag("long")
  void itGoesOnWhenDescriptorsAreFreeAgain(Variant variant) throws Exception {
    List<WebSocketPeer> clients = new ArrayList<>();
    try (RunningServer server = OutOfDescriptors.start(variant)) {
      for (int i = 0; i < CLIENTS; i++) {
        WebSocketPeer client = new WebSocketPeer(server.address());
        clients.add(client);
        client.send(WebSocketPeer.request());
      }
      OutOfDescriptors.awaitErrors(server);
      // Accepted ones are served as ever; the kernel hands out its queue in order.
      for (WebSocketPeer client : clients.subList(0, 50)) {
        client.awaitUpgrade();
        client.echo(Frame.message("hello"));
      }
      OutOfDescriptors.restsWhileItWaits(server);
      MessagesIT.closeAll(clients.subList(0, CLIENTS - LATE));
      for (WebSocketPeer client : clients.subList(CLIENTS - LATE, CLIENTS)) {
        client.awaitUpgrade();
        client.echo(Frame.message("at last"));
      }
      server.awaitOpen(LATE);
      assertThat(server.metric("echo_connections_accepted_total")).as("%s: accepted", server).isEqualTo(CLIENTS);
      assertThat(server.metric(ERRORS)).as("%s: %s", server, ERRORS).isPositive();
    } finally {
      MessagesIT.closeAll(clients);
    }
  }

  /** What a server opened for its first connection only, e.g. to wait for it, could not be had any more then. */
  @Needs(Need.PRLIMIT)
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
  void itServesTheFirstWithTheLastDescriptors(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant, List.of(), LastDescriptors.plain(variant.argv()))) {
      LastDescriptors.leave(server.ready().pid(), SPARE);
      try (WebSocketPeer client = WebSocketServer.upgraded(server)) {
        // Long enough for the server to have come to wait for it.
        Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        client.echo(Frame.message("first"));
        client.echo(Frame.binary(new byte[100]));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.websocket.WebSocketServer#defaults")
  void itSaysWhatRunsAndWhyItDoesNot(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant);
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      assertThat(server.ready().server()).isEqualTo(variant.manifest().name());
      variant.manifest().options().forEach(
          (name, option) -> {
            if (option.toldToServer()) {
              // 0 stands for the server's choice, which may be shown instead.
              assertThat(String.valueOf(server.ready().config().get(name.replace('-', '_'))))
                  .as("%s: %s in the config of its ready line", variant, name)
                  .matches(option.fallback().equals("0") ? "\\d+" : Pattern.quote(option.fallback()));
            }
          });
      String port = Integer.toString(taken.getLocalPort());
      CommandRun inUse = CommandRun.start(variant, variant.argvWith(List.of("--port", port)));
      List<CommandRun> bad = new ArrayList<>();
      bad.add(CommandRun.start(variant, variant.argvWith(List.of("--no-such-option"))));
      for (List<String> option : beyond(variant.manifest())) {
        bad.add(CommandRun.start(variant, variant.argvWith(option)));
      }
      CommandRun.Outcome refused = inUse.end();
      assertThat(refused.status()).as("%s", refused).isEqualTo(3);
      assertThat(refused.stderr()).as("%s", refused).contains(port).containsPattern("(?i)in use|EADDRINUSE");
      assertThat(refused.stderr().lines()).as("%s: a message, no stack trace", refused).hasSizeLessThan(5);
      for (CommandRun run : bad) {
        CommandRun.Outcome outcome = run.end();
        assertThat(outcome.status()).as("%s", outcome).isEqualTo(2);
        assertThat(outcome.stdout()).as("%s", outcome).isEmpty();
      }
    }
  }

  /** A value that is too large, where there is an option with an end: the server has to know its own limits. */
  private static List<List<String>> beyond(ServerManifest manifest) {
    List<List<String>> beyond = new ArrayList<>();
    manifest.options().forEach(
        (name, option) -> {
          Long max = option.max();
          if (option.toldToServer() && max != null && beyond.isEmpty()) {
            beyond.add(List.of("--" + name, Long.toString(max + 1)));
          }
        });
    return beyond;
  }
}
