package echoladder.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import echoladder.harness.explain.Explanation.Match;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports of real servers that stopped, in our own words, the messages as they were: each leads to the right page and the right command. */
class ReportsTest {
  private static final List<Topic> TOPICS = Topics.of(Checkout.find());

  /**
   * A report.
   *
   * @param link where it was made
   * @param asked what its author would have pasted
   * @param page that helps
   * @param lift a part of the command that helped
   */
  record Report(String link, String asked, String page, String lift) {
    @Override
    public String toString() {
      return link;
    }
  }

  static Stream<Report> reports() {
    return Stream.of(
        // A load generator in Go against one WebSocket server; ulimit -n was 1,024,000.
        new Report(
            "https://github.com/gorilla/websocket/issues/678",
            "2021/03/31 12:30:13 dial:dial tcp 10.10.10.10:80: connect: cannot assign requested address",
            "symptoms/ephemeral-ports-exhausted", "ip_local_port_range"),
        // A load generator in Erlang and its broker on one host; no more than 28,225 connections.
        new Report(
            "https://github.com/mzbench/mzbench/issues/32", "no more than 28,225 connections", "symptoms/ephemeral-ports-exhausted", "ip_local_port_range"),
        // Java under load, 600 requests/s, each by a connection of its own.
        new Report(
            "https://github.com/gatling/gatling/issues/2265",
            """
            java.net.BindException: Cannot assign requested address
                    at sun.nio.ch.Net.connect0(Native Method) ~[na:1.7.0_65]
                    at sun.nio.ch.Net.connect(Net.java:465) ~[na:1.7.0_65]
            """,
            "symptoms/ephemeral-ports-exhausted", "more source addresses"),
        // CentOS 7; ulimit in another shell did not help.
        new Report(
            "https://github.com/YeautyYE/netty-websocket-spring-boot-starter/issues/123",
            "the server stops at about 4023 connections", "symptoms/descriptor-limit", "LimitNOFILE="),
        // A server in Python; the limit of the shell was 65,000.
        new Report(
            "https://github.com/python-websockets/websockets/issues/822",
            "17:30:14 app python3[1775]: OSError: [Errno 24] Too many open files", "symptoms/descriptor-limit", "prlimit --pid PID --nofile="),
        // After an update of the engine.
        new Report(
            "https://github.com/moby/moby/issues/51485", "since the update of containerd 'ulimit -n' in a docker container returns 1024",
            "outside/containers", "--ulimit nofile="),
        new Report(
            "https://github.com/kubernetes/kubernetes/issues/71261",
            "[Tue Nov 20 22:30:22 2018] nf_conntrack: table full, dropping packet", "symptoms/conntrack-table-full", "nf_conntrack_max=N"),
        new Report(
            "https://github.com/glowroot/glowroot/issues/1011",
            "[94.189s][warning][os,thread] Failed to start thread \"Unknown thread\" - pthread_create failed (EAGAIN) for attributes: stacksize: 1024k, guardsize: 0k, detached.",
            "symptoms/threads", "TasksMax="),
        // The crash report of a JVM counted its threads.
        new Report("https://github.com/corretto/corretto-11/issues/308", "JVM crashes, stuck at 32558 threads", "symptoms/memory-maps", "vm.max_map_count=N"),
        // A service of Ubuntu 18.04.
        new Report("https://gitlab.com/gitlab-org/omnibus-gitlab/-/issues/4148", "cannot start more than 4900 threads", "outside/systemd", "TasksMax=infinity"),
        new Report(
            "https://github.com/centrifugal/centrifugo/issues/455",
            "2021/06/24 11:20:01 [alert] 584265#584265: *4242 768 worker_connections are not enough while connecting to upstream",
            "outside/programs", "the program's configuration"),
        // A load balancer between, and a client that asks every six minutes.
        new Report(
            "https://github.com/istio/istio/issues/16572", "ECONNRESET when the connection was idle for 360 s", "outside/idle-timeouts", "TCP_KEEPIDLE"),
        new Report(
            "https://github.com/ElementsProject/lightning/issues/2378",
            "[Wed Feb 20 11:18:44 2019] TCP: request_sock_TCP: Possible SYN flooding on port 9735. Sending cookies.  Check SNMP counters.",
            "symptoms/syn-queue", "net.core.somaxconn="),
        new Report(
            "https://github.com/tempesta-tech/tempesta/issues/1763", "[  179.636034] TCP: out of memory -- consider tuning tcp_mem", "symptoms/tcp-memory", "tcp_mem="));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void leadsToItsPageAndItsCommand(Report report) {
    // A host as most are: pid_max of a small machine, Linux's own range of ports, a soft limit of 1,024.
    Explanation found = new Explainer(TOPICS, new HostNumbers(new Facts().nofile(1_024).facts(), 2, Map.of())).explain(report.asked());
    assertThat(found.found()).as("%s", found.matches()).isTrue();
    Match first = found.matches().getFirst();
    assertThat(first.page()).as("%s", found.matches()).isEqualTo("runbooks/" + report.page() + ".md");
    assertThat(first.lift()).contains(report.lift());
    assertThat(first.show()).isNotBlank();
  }
}
