package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server on the JVM that runs out of direct memory, or of threads, while connections come: it counts what it had to
 * refuse, its page answers all the while, and whoever comes when there is room again is served.
 */
@Tag("long")
class StarvedIT {
  private static final int KNOWN = 8;
  private static final int CROWD = 300;

  /** The kernel's memory for sockets is that of the whole host, and other tests send as well. */
  private static final int FLOOD_BYTES = 64 << 10;

  /** More than the metrics page has threads: those take turns, so each of them answers. */
  private static final int PAGES = 20;

  private static final int THREADS = 20;

  private static final String EVENT_LOOPS = "event-loops";

  private static final String DIRECT = "-XX:MaxDirectMemorySize=";

  /** Not enough for a buffer of each connection of the crowd. */
  private static final String LITTLE = DIRECT + "1m";

  /** One event loop starts with it and serves a few connections; it does not suffice for a crowd's buffers. */
  private static final String LITTLE_FOR_NETTY = DIRECT + "256k";

  /** Its rings take a half of it for each event loop. */
  private static final String LITTLE_FOR_IO_URING = DIRECT + "2m";

  /** Less than a thread of the page needs for its input and output: where none is left, there is none for those either. */
  private static final int BUFFER_BYTES = 4 << 10;

  private static Stream<Variant> hungry() {
    return Tested.some(
        Variant.all()
            .filter(v -> v.manifest().runtime().equals("jvm") && !v.manifest().reference())
            .filter(v -> !byIoUring(v))
            .map(StarvedIT::withLittle),
        "servers on the JVM that take direct memory for connections");
  }

  private static Stream<Variant> ofIoUring() {
    return Tested.some(
        Variant.all()
            .filter(StarvedIT::byIoUring)
            .map(StarvedIT::withLittle),
        "servers by io_uring");
  }

  private static boolean byIoUring(Variant variant) {
    return variant.options().getOrDefault("transport", "").startsWith("io_uring");
  }

  private static Variant withLittle(Variant variant) {
    Map<String, String> options = new LinkedHashMap<>(variant.options());
    if (variant.manifest().options().containsKey("buffer-bytes")) {
      options.put("buffer-bytes", Integer.toString(BUFFER_BYTES));
    }
    if (variant.manifest().options().containsKey(EVENT_LOOPS)) {
      options.put(EVENT_LOOPS, "1");
    }
    return new Variant(variant.manifest(), options);
  }

  private static Stream<Variant> onJvm() {
    return Tested.some(
        Variant.all().filter(v -> v.manifest().runtime().equals("jvm")), "servers on the JVM");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hungry")
  void survivesWithoutDirectMemory(Variant variant) throws Exception {
    List<String> argv = new ArrayList<>(variant.argv());
    argv.add(1, variant.options().containsKey(EVENT_LOOPS) ? LITTLE_FOR_NETTY : LITTLE);
    try (RunningServer server = RunningServer.start(variant, List.of(), argv)) {
      List<EchoClient> known = server.connect(KNOWN);
      known.forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      List<SocketChannel> crowd = crowd(server.address());
      server.await("failures for want of memory").untilAsserted(() -> assertThat(server.failures("enomem")).isPositive());
      pageAnswers(server);
      goneAndWellAgain(server, known, crowd);
      saidLittle(server, "MaxDirectMemorySize");
    }
  }

  /** Netty ends an event loop of io_uring for want of memory; what is left of the server is then not to be measured. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("ofIoUring")
  void survivesWithoutDirectMemoryOrEndsWithTheReason(Variant variant) throws Exception {
    List<String> argv = new ArrayList<>(variant.argv());
    argv.add(1, LITTLE_FOR_IO_URING);
    try (RunningServer server = RunningServer.start(variant, List.of(), argv)) {
      List<SocketChannel> crowd = crowd(server.address());
      CompletableFuture<Integer> ended = server.process().ended();
      server.await("failures for want of memory, or an end").untilAsserted(
          () -> assertThat(ended.isDone() || server.failures("enomem") > 0).isTrue());
      for (SocketChannel channel : crowd) {
        channel.close();
      }
      server.await("an echo again, or an end").untilAsserted(
          () -> {
            if (ended.isDone()) {
              assertThat(ended).isCompletedWithValue(3);
              assertThat(String.join("\n", server.logLines())).contains("an event loop ended", "MaxDirectMemorySize");
            } else {
              try (EchoClient client = server.connect()) {
                client.echo(EchoClient.bytes(3, 64));
              }
            }
          });
    }
  }

  @Needs({Need.SETPRIV, Need.PRLIMIT})
  @ParameterizedTest(name = "{0}")
  @MethodSource("onJvm")
  void survivesWithoutThreads(Variant variant) throws Exception {
    List<String> argv = variant.argv();
    OtherUser user = OtherUser.whoRuns(argv);
    try (RunningServer server = RunningServer.start(variant, user.prefix(), argv)) {
      List<EchoClient> known = server.connect(KNOWN);
      known.forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      user.leaveThreads(server.ready().pid(), THREADS);
      List<SocketChannel> crowd = crowd(server.address());
      server.await("all of the crowd taken, or some refused").untilAsserted(
          () ->
              assertThat(server.metric("echo_connections_accepted_total") >= KNOWN + CROWD || server.failures("eagain") > 0)
                  .as("%s: accepted %s", server, server.counts())
                  .isTrue());
      boolean refused = server.failures("eagain") > 0;
      pageAnswers(server);
      known.forEach(client -> client.echo(EchoClient.bytes(2, 64)));
      goneAndWellAgain(server, known, crowd);
      saidLittle(server, refused ? "RLIMIT_NPROC" : "");
    }
  }

  private static void pageAnswers(RunningServer server) {
    for (int i = 0; i < PAGES; i++) {
      assertThat(server.metric("echo_connections_accepted_total")).as("%s", server).isPositive();
    }
  }

  private static void goneAndWellAgain(RunningServer server, List<EchoClient> known, List<SocketChannel> crowd)
      throws IOException {
    assertThat(server.process().alive()).as("%s", server).isTrue();
    for (SocketChannel channel : crowd) {
      channel.close();
    }
    known.forEach(EchoClient::close);
    server.awaitOpen(0);
    servesAgain(server);
  }

  /** Connected and deaf, with something sent. */
  private static List<SocketChannel> crowd(InetSocketAddress address) throws IOException {
    List<SocketChannel> crowd = new ArrayList<>();
    ByteBuffer flood = ByteBuffer.allocateDirect(FLOOD_BYTES);
    for (int i = 0; i < CROWD; i++) {
      SocketChannel channel = SocketChannel.open();
      crowd.add(channel);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
      try {
        channel.connect(address);
        channel.configureBlocking(false);
        channel.write(flood.clear());
      } catch (IOException e) {
        // Refused by the server already: a reset, or its end.
      }
    }
    return crowd;
  }

  private static void servesAgain(RunningServer server) {
    // A connection may still meet the last of a pause, but not for long.
    server.await("an echo again").ignoreExceptionsMatching(e -> true).untilAsserted(
        () -> {
          try (EchoClient client = server.connect()) {
            client.echo(EchoClient.bytes(3, 64));
          }
        });
    assertThat(server.process().alive()).as("%s", server).isTrue();
  }

  /** Whoever is refused costs no lines; the limit is named where there was any, else it is empty. */
  private static void saidLittle(RunningServer server, String limit) {
    List<String> lines = server.logLines();
    assertThat(lines).as("%s: lines of its log", server).hasSizeLessThan(100).noneMatch(line -> line.startsWith("\tat "));
    assertThat(String.join("\n", lines)).as("%s: names the limit", server).contains(limit);
  }
}
