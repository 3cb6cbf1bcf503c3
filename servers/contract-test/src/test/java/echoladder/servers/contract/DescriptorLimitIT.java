package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ProcessCpu;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Out of descriptors: counted, said, waited for, survived. */
class DescriptorLimitIT {
  private static final int LIMIT = 256;
  private static final int CLIENTS = 400;
  private static final String ERRORS = "echo_accept_errors_total{reason=\"emfile\"}";
  private static final Duration WATCHED = Duration.ofSeconds(2);

  /** One for the connection and one to find that the next can be had. */
  private static final int SPARE = 2;

  /** Pauses of 10 ms, the shortest allowed, and some for the metrics page's own accepts. */
  private static final double ERRORS_PER_SECOND_MAX = 150;

  /** Of a core. A server that tries again at once takes a whole one; pauses of 10 to 100 ms take some percent. */
  private static final double CPU_SHARE_MAX = 0.4;

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void goesOnWhenDescriptorsAreFreeAgain(Variant variant) throws Exception {
    // The hard limit: the JVM and Go raise the soft one to it.
    List<String> prefix = List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh");
    try (RunningServer server = RunningServer.start(variant, prefix, LastDescriptors.plain(variant.argv()))) {
      // The kernel completes their handshakes; the server cannot accept all of them.
      List<EchoClient> clients = server.connect(CLIENTS);
      server.await("accept errors").untilAsserted(
          () -> assertThat(server.metric(ERRORS)).as("%s: %s", server, ERRORS).isPositive());
      int open = (int) server.metric("echo_connections_open");
      assertThat(open).as("%s: open connections with %d descriptors", server, LIMIT).isBetween(LIMIT / 3, LIMIT);

      // Accepted ones are served as ever; the kernel hands out its queue in order.
      clients.subList(0, 50).forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      restsWhileItWaits(server);

      clients.subList(0, CLIENTS / 2).forEach(EchoClient::close);
      clients.subList(CLIENTS / 2, CLIENTS).forEach(client -> client.echo(EchoClient.bytes(2, 64)));
      server.awaitOpen(CLIENTS / 2);
      double errors = server.metric(ERRORS);
      clients.get(CLIENTS - 1).echo(EchoClient.bytes(3, 64));
      assertThat(server.metric(ERRORS)).as("%s: %s after recovery", server, ERRORS).isEqualTo(errors);
      assertThat(server.metric("echo_connections_accepted_total")).as("%s: accepted", server).isEqualTo(CLIENTS);
      clients.subList(CLIENTS / 2, CLIENTS).forEach(EchoClient::close);
      server.awaitOpen(0);
    }
  }

  /** What a server opened for its first connection only, e.g. to wait for it, could not be had any more then. */
  @Needs(Need.PRLIMIT)
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void servesTheFirstWithTheLastDescriptors(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant, List.of(), LastDescriptors.plain(variant.argv()))) {
      LastDescriptors.leave(server.ready().pid(), SPARE);
      try (EchoClient client = server.connect()) {
        // Long enough for the server to have come to wait for it.
        Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        client.echo(EchoClient.bytes(1, 64));
        client.echo(EchoClient.bytes(2, 64));
      }
    }
  }

  private static void restsWhileItWaits(RunningServer server) {
    ProcessCpu cpu = new ProcessCpu();
    int linesBefore = server.logLines().size();
    double errorsBefore = server.metric(ERRORS);
    long cpuBeforeNs = cpu.ns(server.ready().pid());
    long startNs = System.nanoTime();
    Awaitility.await().pollDelay(WATCHED).atMost(WATCHED.multipliedBy(10)).until(() -> true);
    double share = (cpu.ns(server.ready().pid()) - cpuBeforeNs) / (double) (System.nanoTime() - startNs);
    double errors = server.metric(ERRORS) - errorsBefore;
    long seconds = Duration.ofNanos(System.nanoTime() - startNs).toSeconds();
    assertThat(share).as("%s: CPU while out of descriptors, in cores", server).isLessThan(CPU_SHARE_MAX);
    // On a busy host a spinning server gets little CPU, but still tries too often.
    assertThat(errors / (seconds + 1)).as("%s: %s per second", server, ERRORS).isLessThan(ERRORS_PER_SECOND_MAX);
    assertThat(server.logLines().size() - linesBefore)
        .as("%s: log lines in %d s: some, at most one a second", server, seconds)
        .isBetween(1, (int) seconds + 2);
    assertThat(String.join("\n", server.logLines()))
        .as("%s: names the limit", server)
        .containsPattern("RLIMIT_NOFILE(, which)? is " + LIMIT + "\\b")
        .as("%s: names no other, as no system has one so low", server)
        .doesNotContain("nr_open");
  }
}
