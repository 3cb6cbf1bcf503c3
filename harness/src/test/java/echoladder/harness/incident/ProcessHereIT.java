package echoladder.harness.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.harness.Ladder;
import echoladder.harness.common.Refusal;
import echoladder.harness.incident.Bound.State;
import echoladder.linux.ControlGroups;
import echoladder.linux.Errno;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in Python that run into real limits: each is named, and what is said to lift it does. */
@Needs(Need.PYTHON)
final class ProcessHereIT {
  private static final String LISTEN =
      "import socket, sys, threading, time\ns = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(%d); keep = []\n";

  private static final String SAY_PORT = "print(s.getsockname()[1], flush=True)\n";

  /** Out of descriptors, it tries again. */
  private static final String ACCEPT =
      LISTEN.formatted(20)
          + SAY_PORT
          + """
          while True:
            try: keep.append(s.accept()[0])
            except OSError: time.sleep(0.02)
          """;

  /** Both ends of so many connections, with so many threads. */
  private static final String PAIRS =
      LISTEN.formatted(20)
          + """
          for i in range(int(sys.argv[1])):
            keep += [socket.create_connection(s.getsockname()), s.accept()[0]]
          for i in range(int(sys.argv[2])):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
          """
          + SAY_PORT
          + "time.sleep(600)\n";

  private final SystemCalls sys = new SystemCalls();
  private final List<Integer> open = new ArrayList<>();
  private final List<Process> started = new ArrayList<>();
  @TempDir private Path errors = Path.of("");

  @AfterEach
  void end() throws InterruptedException {
    open.forEach(sys::close);
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectError(errors.resolve("err-" + started.size()).toFile()).start();
    started.add(process);
    return process;
  }

  /** A shell that does something and then becomes Python. */
  private Process python(String before, String code, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", before + "exec /usr/bin/python3 -c \"$@\"", "sh", code));
    command.addAll(List.of(arguments));
    return start(command.toArray(String[]::new));
  }

  private static int port(Process process) throws IOException {
    return Integer.parseInt(Objects.requireNonNull(process.inputReader().readLine(), "it has ended"));
  }

  private void connect(int times, int port) throws IOException {
    for (int i = 0; i < times; i++) {
      int fd = sys.tcpSocket();
      assertThat(sys.connect(fd, SocketAddress.of("127.0.0.1", port))).isIn(0, -Errno.EINPROGRESS);
      open.add(fd);
    }
  }

  private static ProcessExamination examine(Process process) {
    try {
      return ProcessExamination.of(new LookReader(process.pid()).look(), null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Bound first(ProcessExamination found) {
    return Objects.requireNonNull(found.first(), found.answer().toString());
  }

  private static Bound row(ProcessExamination found, String limit) {
    return found.rows().stream().filter(row -> row.limit().equals(limit)).findFirst().orElseThrow(() -> new AssertionError(limit));
  }

  private void run(String command) throws IOException, InterruptedException {
    Process shell = start("sh", "-c", command);
    assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).as(command).isZero();
  }

  @Needs(Need.PRLIMIT)
  @Test
  void outOfDescriptors() throws Exception {
    Process server = python("ulimit -Sn 60; ulimit -Hn 200; ", ACCEPT);
    int port = port(server);
    connect(100, port);
    await().untilAsserted(() -> {
      // Those that were dropped are tried again after seconds only.
      connect(1, port);
      ProcessExamination found = examine(server);
      assertThat(first(found).limit()).isEqualTo("nofile soft");
      assertThat(first(found).state()).isEqualTo(State.STOPS_NOW);
      assertThat(first(found).most()).isEqualTo(60);
      assertThat(found.process().sockets().listeners().getFirst().full()).isTrue();
    });
    ProcessExamination stopped = examine(server);
    assertThat(stopped.connections()).isBetween(50L, 57L).isEqualTo(stopped.process().sockets().accepted());
    assertThat(first(stopped).lift()).isEqualTo("prlimit --pid %d --nofile=200:200".formatted(server.pid()));
    assertThat(stopped.answer().get(1)).contains("is full (21 of 20)", "for want of descriptors");
    run(first(stopped).lift());
    // What waited is accepted at once; handshakes that were dropped are tried again after seconds.
    await().untilAsserted(() -> assertThat(examine(server).connections()).isGreaterThan(60));
    ProcessExamination lifted = examine(server);
    assertThat(lifted.reach()).isEqualTo(ProcessExamination.Reach.IN_REACH);
    assertThat(first(lifted).stopsAt()).isBetween(190L, 197L);
  }

  @Test
  void aQueueThatNobodyEmpties() throws Exception {
    Process server = python("", LISTEN.formatted(1) + SAY_PORT + "time.sleep(600)\n");
    int port = port(server);
    connect(6, port);
    await().untilAsserted(() -> {
      Bound first = first(examine(server));
      assertThat(first.limit()).isEqualTo("accept queue");
      assertThat(first.subject()).isEqualTo("127.0.0.1:" + port);
      assertThat(first.used()).isEqualTo(2);
      assertThat(first.most()).isEqualTo(1);
    });
    await().untilAsserted(() -> assertThat(examine(server).process().sockets().listeners().getFirst().dropped()).isPositive());
    assertThat(examine(server).process().counters().get("listen_overflows")).isPositive();
    assertThat(first(examine(server)).lift()).startsWith("# have the program accept faster");
  }

  @Needs({Need.UNSHARE, Need.NAMESPACES, Need.IP, Need.NSENTER, Need.SYSCTL})
  @Test
  void inANetworkNamespaceOfItsOwn() throws Exception {
    Process client =
        start(
            "unshare", "--net", "sh", "-c",
            "ip link set lo up && sysctl -q -w net.ipv4.ip_local_port_range='20000 20099' && exec /usr/bin/python3 -c \"$@\"", "sh", PAIRS, "60",
            "0");
    int port = port(client);
    ProcessExamination found = examine(client);
    assertThat(found.process().identity().foreignNamespaces()).containsExactly("net");
    assertThat(found.process().sockets().destinations())
        .containsExactly(new Destination("127.0.0.1", "127.0.0.1:" + port, 60, 60));
    assertThat(first(found).limit()).isEqualTo("port tuples");
    assertThat(first(found).subject()).isEqualTo("127.0.0.1 to 127.0.0.1:" + port);
    assertThat(first(found).most()).isEqualTo(100);
    // Both ends are its own, so half of its connections take a port.
    assertThat(first(found).stopsAt()).isEqualTo(200);
    run(first(found).lift());
    assertThat(row(examine(client), "port tuples").most()).isEqualTo(64_512);
  }

  @Needs(Need.CGROUP_PIDS)
  @Test
  void threadsInAControlGroup() throws Exception {
    ControlGroups.Group top = Objects.requireNonNull(ControlGroups.own().top("pids"));
    Path group = top.dir().resolve("echo-ladder-i-" + ProcessHandle.current().pid());
    Files.createDirectory(group);
    try {
      Files.writeString(group.resolve("pids.max"), "200");
      Process server = python("echo $$ > " + group + "/cgroup.procs; ", PAIRS, "30", "60");
      port(server);
      ProcessExamination found = examine(server);
      assertThat(found.perConnection().threads()).isEqualTo(1);
      assertThat(first(found).limit()).isEqualTo("cgroup pids");
      assertThat(first(found).used()).isEqualTo(61);
      // 60 sockets, 61 threads: 60 + (200 - 61).
      assertThat(first(found).stopsAt()).isEqualTo(199);
      assertThat(found.process().groups()).contains("pids: %s (version %d)".formatted(group, top.version()));
      run(first(found).lift());
      assertThat(examine(server).rows()).extracting(Bound::limit).doesNotContain("cgroup pids");
    } finally {
      end();
      await().until(() -> Files.readString(group.resolve("cgroup.procs")).isEmpty());
      Files.delete(group);
    }
  }

  @Test
  void aMasterHasItsWorkersNamed() throws Exception {
    Process shell = start("sh", "-c", "/usr/bin/python3 -c \"$@\"; true", "sh", PAIRS, "5", "0");
    port(shell);
    long worker = shell.descendants().findFirst().orElseThrow().pid();
    assertThat(examine(shell).answer())
        .contains("of the processes that it has started, %d has most sockets, 11: ./ladder doctor --pid %d".formatted(worker, worker));
  }

  @Test
  void oneThatIsGone() {
    assertThatThrownBy(() -> new LookReader(1L << 23).look())
        .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.status()).isEqualTo(3))
        .hasMessageContaining("there is no process 8388608 that can be seen from here");
  }

  private Process ladder(List<String> before, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(
        List.of(
            System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
            "-Decholadder.home=" + Path.of("..").toAbsolutePath().normalize(), "-cp", System.getProperty("java.class.path"), Ladder.class.getName(),
            "doctor"));
    command.addAll(List.of(arguments));
    return start(command.toArray(String[]::new));
  }

  /** A line per look until the process ends. */
  @Test
  void watchedUntilItEnds() throws Exception {
    Process server = python("", ACCEPT);
    int port = port(server);
    Process watch = ladder(List.of(), "--pid", Long.toString(server.pid()), "--watch", "100ms");
    BufferedReader lines = watch.inputReader();
    assertThat(lines.readLine()).matches("time +connections +descriptors .*");
    assertThat(lines.readLine()).matches("\\d\\d:\\d\\d:\\d\\d +0 .* nofile soft");
    connect(7, port);
    String line = lines.readLine();
    while (line != null && !line.matches(".* 7( \\(.*\\))? .*")) {
      line = lines.readLine();
    }
    assertThat(line).as("a look with 7 connections").isNotNull();
    server.destroyForcibly().waitFor();
    while (line != null) {
      line = lines.readLine();
    }
    assertThat(watch.waitFor()).isEqualTo(3);
    assertThat(Files.readString(errors.resolve("err-1"))).contains("there is no process " + server.pid());
  }

  @Needs(Need.SETPRIV)
  @Test
  void ofSomebodyElse() throws Exception {
    Process server = python("", ACCEPT);
    port(server);
    Process ladder = ladder(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"), "--pid", Long.toString(server.pid()));
    String out = new String(ladder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = ladder.waitFor();
    String err = Files.readString(errors.resolve("err-1"));
    if (err.contains("setpriv: ") || err.contains("find or load main class") || err.contains("NoClassDefFoundError")) {
      throw Lacks.found(Need.OTHER_USER, err);
    }
    assertThat(out).isEmpty();
    assertThat(status).as(err).isEqualTo(3);
    assertThat(err).contains("process %d (python3) may not be looked at: ".formatted(server.pid()), "CAP_SYS_PTRACE is missing: run it with sudo");
  }
}
