package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Study;
import echoladder.harness.tune.Scope;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a study may make kernel settings: in a kernel that is thrown away afterwards, and those of a network namespace
 * also in one that has nothing but loopback. Anywhere else it would make them for everybody on the host.
 */
public final class Throwaway {
  private Throwaway() {}

  /**
   * Refuses a study whose settings would be others' too.
   *
   * @param onThisHost whether the user wants them made for everybody on the host
   * @throws Refusal (could not run) that names them
   */
  public static void check(Study study, String name, boolean onThisHost) {
    if (onThisHost) {
      return;
    }
    boolean network = OwnNetwork.here();
    List<String> others = others(study.servers().stream().flatMap(entry -> entry.settings().sysctl().keySet().stream()).toList());
    if (!others.isEmpty()) {
      throw Refusal.cannotRun(
          ("study '%s' sets %s, which %s not this run's alone here; nothing was started. Run it in a kernel that is thrown away"
              + " afterwards: './ladder lab -- ./ladder run %s'%s")
              .formatted(study.name(), String.join(", ", others), others.size() == 1 ? "is" : "are", name, elsewhere(study, network)));
    }
  }

  /** Which of those kernel settings are not this process's alone here: others on the host would have them too. Sorted. */
  public static List<String> others(Collection<String> keys) {
    if (LabMark.inside()) {
      return List.of();
    }
    boolean network = OwnNetwork.here();
    return keys.stream().filter(key -> !(network && Scope.of(key) == Scope.NETWORK)).distinct().sorted().toList();
  }

  private static String elsewhere(Study study, boolean network) {
    List<String> free = study.servers().stream().filter(entry -> harmless(entry.settings(), true)).map(Study.Entry::label).toList();
    return free.isEmpty() || network
        ? ""
        : "; or, for %s, in a network namespace of its own: 'unshare --net bash -c \"ip link set lo up; ./ladder run ... --servers %s\"'"
            .formatted(String.join(", ", free), free.stream().collect(Collectors.joining(",")));
  }

  private static boolean harmless(EntrySettings settings, boolean network) {
    return settings.sysctl().keySet().stream().allMatch(key -> network && Scope.of(key) == Scope.NETWORK);
  }

  static boolean loopbackAlone() {
    try (Stream<NetworkInterface> all = NetworkInterface.networkInterfaces()) {
      return all.allMatch(
          device -> {
            try {
              return device.isLoopback();
            } catch (SocketException e) {
              return false;
            }
          });
    } catch (SocketException e) {
      return false;
    }
  }
}
