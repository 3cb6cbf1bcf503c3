package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Study;
import echoladder.harness.tune.Scope;
import java.net.NetworkInterface;
import java.net.SocketException;
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
   * @throws Refusal (could not run) that names them
   */
  public static void check(Study study, String name) {
    if (LabMark.inside()) {
      return;
    }
    boolean network = loopbackAlone();
    List<String> others =
        study.servers().stream()
            .flatMap(entry -> entry.settings().sysctl().keySet().stream())
            .filter(key -> !(network && Scope.of(key) == Scope.NETWORK))
            .distinct()
            .sorted()
            .toList();
    if (!others.isEmpty()) {
      throw Refusal.cannotRun(
          "study '%s' sets %s, which %s not this run's alone here; nothing was started. Run it in a kernel that is thrown away afterwards: './ladder lab -- ./ladder run %s'%s"
              .formatted(study.name(), String.join(", ", others), others.size() == 1 ? "is" : "are", name, elsewhere(study, network)));
    }
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

  private static boolean loopbackAlone() {
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
