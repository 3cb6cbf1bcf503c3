package echoladder.harness.host;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host of an inventory.
 *
 * @param name in the inventory; every figure of it has this name
 * @param group {@code servers} or {@code clients}
 * @param connectTo name or address that ssh connects to
 * @param user null = as ssh's configuration says, and so the two that follow
 * @param arguments of ssh, that the inventory gives
 * @param dir where the ladder is there, absolute
 * @param address on the test network; null = not said, as of a client it need not be
 * @param cores of the server or of the client's event loops, in the kernel's form; null = wherever the kernel puts them
 * @param sources addresses that a client connects from; none = the kernel's choice
 */
public record InventoryHost(
    String name,
    String group,
    String connectTo,
    @Nullable String user,
    @Nullable Integer port,
    @Nullable String key,
    List<String> arguments,
    String dir,
    @Nullable String address,
    @Nullable String cores,
    List<String> sources) {

  /** What the shell there exits with where there is no ladder. */
  static final int NO_LADDER = 71;

  public InventoryHost {
    arguments = List.copyOf(arguments);
    sources = List.copyOf(sources);
  }

  /**
   * The command that starts the control process there. Its connection is its own, as it shall end with it: one that others share
   * outlives it. It asks no questions, and its keepalive ends it where the network is cut. Ctrl-C on this terminal does not reach
   * it: the run ends in order first.
   */
  List<String> control() {
    String ladder = quoted(dir + "/ladder");
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(ssh("sh -c " + quoted("test -x " + ladder + " || exit " + NO_LADDER + "; exec " + ladder + " host")));
    return command;
  }

  /** The command that kills a control process which does not answer. Its number may be another process's by now: that is left alone. */
  List<String> kill(long pid) {
    return ssh("sh -c " + quoted("grep -qsz echoladder.harness.Ladder /proc/%d/cmdline && kill -KILL %d".formatted(pid, pid)));
  }

  private List<String> ssh(String command) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=3", "-o",
                "ServerAliveCountMax=3", "-o", "ControlMaster=no", "-o", "ControlPath=none"));
    if (port != null) {
      all.addAll(List.of("-p", port.toString()));
    }
    if (key != null) {
      all.addAll(List.of("-i", key));
    }
    if (user != null) {
      all.addAll(List.of("-l", user));
    }
    all.addAll(arguments);
    all.addAll(List.of("--", connectTo, command));
    return all;
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
