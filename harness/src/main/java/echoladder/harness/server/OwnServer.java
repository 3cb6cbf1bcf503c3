package echoladder.harness.server;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.common.Refusal;
import echoladder.linux.process.ListenerMismatch;
import echoladder.linux.process.ProcessTree;
import echoladder.linux.sockets.SocketAddress;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server that the project knows nothing of: what starts it, or the process that runs, and the port of loopback where it accepts.
 *
 * @param name its label
 * @param command for a shell, in the folder that the ladder was called in; null = it runs already
 * @param pid of the process that runs; null = it is started
 * @param port 1 to 65,535
 * @param ask what it is asked over HTTP; of WebSocket the path; says nothing of one that speaks TCP
 */
public record OwnServer(String name, @Nullable String command, @Nullable Long pid, int port, Protocol protocol, HttpAsk ask) {
  /** Where it has to accept. */
  public static final String HOST = "127.0.0.1";

  /** What it has to do, for people. */
  public static final String PAGE = "runbooks/procedures/your-own-server.md";

  /** What it has to do to push, for people. */
  public static final String PUSH_PAGE = "runbooks/procedures/own-push-server.md";

  private static final int CONNECT_BOUND_MS = 1_000;
  private static final long SHELL_BOUND_S = 10;

  /** Behind what is set for the command alone, a word that a shell takes as it stands. */
  private static final Pattern FIRST_WORD =
      Pattern.compile("\\s*(?:[A-Za-z_][A-Za-z0-9_]*=[^\\s'\"]*\\s+)*([A-Za-z0-9_./+:@%-]+)(?:\\s.*|;.*)?", Pattern.DOTALL);

  /** What may make several programs of a command, in quotes too. */
  private static final Pattern SEVERAL = Pattern.compile("[;&|()\\n]");

  /** As the planner and the report know servers. */
  public ServerManifest manifest() {
    return ServerManifest.of(this);
  }

  /** Where it accepts. */
  public Target target() {
    return new Target(HOST, port);
  }

  /** What starts it, in a session of its own, so that no terminal signals it; empty where nothing does. */
  public List<String> argv() {
    return command == null ? List.of() : List.of("setsid", "sh", "-c", replacingTheShell(command));
  }

  /** One program needs no shell beside it, whose memory and thread would be the server's too. */
  private static String replacingTheShell(String command) {
    Matcher word = FIRST_WORD.matcher(command);
    boolean one = word.matches() && !SEVERAL.matcher(command).find() && file(word.group(1), true).isPresent();
    return one ? command.substring(0, word.start(1)) + "exec " + command.substring(word.start(1)) : command;
  }

  /** The files that its command names, by their absolute paths: what runs is one or some of them. */
  public List<String> files() {
    List<String> files = new ArrayList<>();
    for (String word : command == null ? new String[0] : command.trim().split("[\\s'\";&|()<>]+", -1)) {
      if (!word.isEmpty()) {
        file(word, files.isEmpty()).ifPresent(files::add);
      }
    }
    return files;
  }

  private static Optional<String> file(String word, boolean first) {
    List<Path> places = new ArrayList<>();
    try {
      places.add(Path.of("").toAbsolutePath().resolve(word));
      if (first && !word.contains("/")) {
        for (String dir : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
          places.add(Path.of(dir, word));
        }
      }
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
    return places.stream().filter(Files::isRegularFile).map(place -> place.toAbsolutePath().normalize().toString()).findFirst();
  }

  /**
   * Looks, before anything is started, whether there is such a command or process and whether the port is as it has to be.
   *
   * @throws Refusal (cannot run) where it cannot be climbed
   */
  public void look() {
    if (pid != null) {
      if (ProcessHandle.of(pid).isEmpty()) {
        throw Refusal.cannotRun("--own-pid " + pid + ": there is no such process; 'ss -tlnp' lists who accepts where");
      }
      if (!accepts()) {
        throw Refusal.cannotRun(
            ("--own-pid %d: nothing accepts at %s; a server is climbed over loopback, so it has to accept there; 'ss -tlnp' lists who"
                + " accepts where")
                .formatted(pid, target()));
      }
      String stranger = stranger(pid);
      if (stranger != null) {
        throw Refusal.cannotRun("--own-pid %d: %s".formatted(pid, stranger));
      }
      return;
    }
    String missing = missing();
    if (missing != null) {
      throw Refusal.cannotRun(
          "--own '%s': there is no command '%s': it is not on PATH, and no executable file of that name is in %s; give its path"
              .formatted(command, missing, Path.of("").toAbsolutePath()));
    }
    String taken = taken();
    if (taken != null) {
      throw Refusal.cannotRun(taken);
    }
  }

  /** The first word of the command, where a shell would not know what to start by it; null where it does, or is not a plain word. */
  private @Nullable String missing() {
    Matcher word = FIRST_WORD.matcher(String.valueOf(command));
    if (!word.matches()) {
      return null;
    }
    try {
      Process shell = new ProcessBuilder("sh", "-c", "command -v \"$1\"", "sh", word.group(1)).redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      if (!shell.waitFor(SHELL_BOUND_S, TimeUnit.SECONDS)) {
        shell.destroyForcibly();
        return null;
      }
      return shell.exitValue() == 0 ? null : word.group(1);
    } catch (IOException e) {
      throw Refusal.cannotRun("a command is started by sh, which cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Why a process with all that it has started is not the server at its port, and what to do; null where it is, and where it has ended.
   *
   * @param root its pid
   */
  public @Nullable String stranger(long root) {
    List<Long> pids = new ProcessTree(root).pids();
    ListenerMismatch wrong = pids.isEmpty() ? null : ListenerMismatch.of(pids, address()).orElse(null);
    if (wrong == null) {
      return null;
    }
    String instead =
        wrong.instead() != null
            ? "climb the process that serves there with --own-pid " + wrong.instead()
            : "'ss -tlnp', as root, lists who listens; a container serves there with --network host, or with the same port inside; a server"
                + " with a metrics page is climbed by --attach";
    String of =
        command == null
            ? "CPU and memory are read from that process and all that it has started"
            : "CPU and memory are read from what the command starts, and docker, systemd and ssh start nothing";
    return String.join("; ", wrong.seen(), of, instead, "see " + PAGE);
  }

  /** Processes among one and all that it has started that accept at its port. */
  public List<Long> serving(long root) {
    return ListenerMismatch.listening(new ProcessTree(root).pids(), address());
  }

  private SocketAddress address() {
    try {
      return SocketAddress.of(HOST, port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(HOST + " is a literal", e);
    }
  }

  /** Why its port cannot be its own; null where it can. */
  public @Nullable String taken() {
    boolean held = accepts();
    if (!held) {
      try (ServerSocket trial = new ServerSocket()) {
        trial.bind(new InetSocketAddress(HOST, port));
      } catch (BindException e) {
        // A port that only root may have is no port that somebody has.
        held = String.valueOf(e.getMessage()).contains("in use");
      } catch (IOException e) {
        held = false;
      }
    }
    return held
        ? "port %d is in use; 'ss -tanp sport = :%d' shows by whom; a server that runs already is climbed with --own-pid PID"
            .formatted(port, port)
        : null;
  }

  /** Whether somebody accepts there now. */
  boolean accepts() {
    try (Socket trial = new Socket()) {
      trial.connect(new InetSocketAddress(HOST, port), CONNECT_BOUND_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
