package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.process.ProcessCpu;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A server that has no descriptor left for those who wait in its listener's queue. */
public final class OutOfDescriptors {
  /** The descriptors that a server is given. */
  public static final int LIMIT = 256;

  /** More clients than it has descriptors for. */
  public static final int CLIENTS = 400;

  /** The series that counts the failures. */
  public static final String ERRORS = "echo_accept_errors_total{reason=\"emfile\"}";

  private static final Duration WATCHED = Duration.ofSeconds(2);

  /** Pauses of 10 ms, the shortest allowed, and some for the metrics page's own accepts. */
  private static final double ERRORS_PER_SECOND_MAX = 150;

  /**
   * The most of a core that may be used. A server that tries again at once takes a whole one; pauses of 10 to 100 ms take some
   * percent.
   */
  private static final double CPU_SHARE_MAX = 0.4;

  private OutOfDescriptors() {}

  /** Starts the server with {@link #LIMIT} descriptors: the hard limit, as the JVM and Go raise the soft one to it. */
  public static RunningServer start(Variant variant) throws Exception {
    return start(variant, variant.argv());
  }

  /** Starts the server by that command with {@link #LIMIT} descriptors. */
  public static RunningServer start(Variant variant, List<String> argv) throws Exception {
    List<String> prefix = List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh");
    return RunningServer.start(variant, prefix, LastDescriptors.plain(argv));
  }

  /** Waits until an accept has failed, and checks that about as many connections are open as there are descriptors. */
  public static void awaitErrors(RunningServer server) {
    server.await("accept errors").untilAsserted(
        () -> assertThat(server.metric(ERRORS)).as("%s: %s", server, ERRORS).isPositive());
    // Some count a connection only once it is upgraded, which on a busy host comes after the accepts.
    server.await("open connections").untilAsserted(
        () -> assertThat((int) server.metric("echo_connections_open"))
            .as("%s: open connections with %d descriptors", server, LIMIT)
            .isBetween(LIMIT / 3, LIMIT));
  }

  /** Watches it for a while: it pauses between its attempts, says what it lacks, and names the limit. */
  public static void restsWhileItWaits(RunningServer server) {
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
