package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.process.ListeningSockets.Listener;
import echoladder.linux.sockets.SocketAddress;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes that listen, or do not. */
@Timeout(60)
@Needs(Need.PYTHON)
class ListenerMismatchTest {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String LISTENS =
      "import os,signal,socket; s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1); s.bind(('127.0.0.1', %d)); s.listen();";

  private final List<ProcessTree> started = new ArrayList<>();

  /** The program has said a line: it listens. */
  private record Running(long pid, String said) {
    int port() {
      return Integer.parseInt(said.split(" ", -1)[0]);
    }

    long told(int word) {
      return Long.parseLong(said.split(" ", -1)[word]);
    }
  }

  private Running start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(new ProcessTree(process.pid()));
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    return new Running(process.pid(), line == null ? "" : line);
  }

  private Running python(int port, String then) throws IOException {
    return start(PYTHON, "-c", LISTENS.formatted(port) + "print(s.getsockname()[1], flush=True);" + then);
  }

  @AfterEach
  void end() {
    started.forEach(tree -> tree.handles().toList().forEach(ProcessHandle::destroyForcibly));
  }

  private static Optional<ListenerMismatch> of(long root, int port) throws IOException {
    return ListenerMismatch.of(new ProcessTree(root).pids(), SocketAddress.of("127.0.0.1", port));
  }

  private static ListenerMismatch wrong(long root, int port) throws IOException {
    return of(root, port).orElseThrow();
  }

  @Test
  void aProcessThatListensAndOneThatHasStartedItAreRight() throws IOException {
    Running server = python(0, "signal.pause()");
    assertThat(of(server.pid(), server.port())).isEmpty();
    String program = LISTENS.formatted(0) + "print(s.getsockname()[1], flush=True); signal.pause()";
    Running shell = start("sh", "-c", PYTHON + " -c \"" + program + "\"; :");
    assertThat(new ProcessTree(shell.pid()).pids()).hasSize(2);
    assertThat(of(shell.pid(), shell.port())).isEmpty();
  }

  @Test
  void aStrangerIsToldWhoListensInItsPlace() throws IOException {
    Running server = python(0, "signal.pause()");
    Running stranger = start("sh", "-c", "echo 0; exec sleep 60");
    ListenerMismatch wrong = wrong(stranger.pid(), server.port());
    assertThat(wrong.seen())
        .matches("process %d \\((sh|sleep)\\) does not listen at 127.0.0.1:%d; process %d \\(python3.*\\) does"
            .formatted(stranger.pid(), server.port(), server.pid()));
    assertThat(wrong.instead()).isEqualTo(server.pid());
  }

  @Test
  void aProcessBesideWhichNobodyListensIsToldSo() throws IOException {
    Running stranger = start("sh", "-c", "sleep 60 & echo 0; wait");
    int closed;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      closed = taken.getLocalPort();
    }
    ListenerMismatch wrong = wrong(stranger.pid(), closed);
    assertThat(wrong.seen()).contains("nor any of the 1 processes that it has started listens at 127.0.0.1:" + closed + "; no process in this");
    assertThat(wrong.instead()).isNull();
  }

  @Test
  void aListenerOfWhatHasStartedTheLadderIsNamedToo() throws IOException {
    Running stranger = start("sh", "-c", "echo 0; exec sleep 60");
    try (ServerSocket here = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ListenerMismatch wrong = wrong(stranger.pid(), here.getLocalPort());
      assertThat(wrong.seen()).endsWith("; process %d (java) does".formatted(ProcessHandle.current().pid()));
      assertThat(wrong.instead()).isNull();
    }
  }

  /** The master opens, the workers accept: the master's tree is the server, and one worker is a part of it. */
  @Test
  void oneOfSeveralWorkersIsToldItsMaster() throws IOException {
    String fork = "w=[os.fork() or signal.pause() for _ in range(2)]; print(s.getsockname()[1], *w, flush=True); s.close(); signal.pause()";
    Running master = start(PYTHON, "-c", LISTENS.formatted(0) + fork);
    assertThat(of(master.pid(), master.port())).as("the master has closed its own").isEmpty();
    ListenerMismatch wrong = wrong(master.told(1), master.port());
    assertThat(wrong.seen())
        .contains("process %d (python3".formatted(master.told(1)), "is not alone in listening", "process %d (python3".formatted(master.told(2)));
    assertThat(wrong.instead()).isEqualTo(master.pid());
  }

  @Test
  void theOnlyWorkerOfASupervisorIsRight() throws IOException {
    String fork = "w=os.fork() or signal.pause(); print(s.getsockname()[1], w, flush=True); signal.pause()";
    Running supervisor = start(PYTHON, "-c", LISTENS.formatted(0) + fork);
    assertThat(of(supervisor.told(1), supervisor.port())).isEmpty();
  }

  @Test
  void twoThatShareThePortAreNotOneServer() throws IOException {
    Running first = python(0, "signal.pause()");
    Running second = python(first.port(), "signal.pause()");
    ListenerMismatch wrong = wrong(first.pid(), first.port());
    assertThat(wrong.seen()).contains("process %d (python3".formatted(second.pid()), "may accept connections too");
    assertThat(wrong.instead()).as("what has started both has started this test too").isNull();
  }

  @Test
  void whatHasStartedTheLadderIsNoServer() throws IOException {
    long self = ProcessHandle.current().pid();
    Running server = python(0, "signal.pause()");
    assertThat(wrong(self, server.port()).seen()).contains("is this process itself, so the CPU of the load's client would count");
    ListenerMismatch parent = wrong(ProcessHandle.current().parent().orElseThrow().pid(), server.port());
    assertThat(parent.seen()).contains("has started this process");
    assertThat(parent.instead()).isEqualTo(server.pid());
  }

  @Test
  void theListenerOfTheAddressItselfIsAskedBeforeThatOfEveryAddress() {
    Listener all = new Listener("0.0.0.0:80", 1, 0);
    Listener both = new Listener("[::]:80", 2, 0);
    Listener own = new Listener("127.0.0.1:80", 3, 0);
    Listener shared = new Listener("127.0.0.1:80", 4, 0);
    Listener other = new Listener("127.0.0.2:80", 5, 0);
    assertThat(ListenerMismatch.accepting(List.of(all, both, own, shared, other), "127.0.0.1:80")).containsExactly(own, shared);
    assertThat(ListenerMismatch.accepting(List.of(both, all, other), "127.0.0.1:80")).containsExactly(all);
    assertThat(ListenerMismatch.accepting(List.of(both, other), "127.0.0.1:80")).containsExactly(both);
    assertThat(ListenerMismatch.accepting(List.of(other), "127.0.0.1:80")).isEmpty();
    assertThat(ListenerMismatch.accepting(List.of(all), "127.0.0.1:8080")).isEmpty();
  }
}
