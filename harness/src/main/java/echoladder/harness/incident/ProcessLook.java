package echoladder.harness.incident;

import echoladder.harness.doctor.HostFacts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What one look at a process showed.
 *
 * @param identity which process
 * @param descriptors open ones
 * @param descriptorKinds how many of each kind
 * @param threads of the process
 * @param mappings of its memory; null = not shown to this process
 * @param rssBytes resident memory; null = not shown
 * @param sockets of TCP
 * @param counters what the kernel has counted in its network namespace and control groups, by the names of samples.csv; what is not
 *     shown is missing
 * @param userTasks tasks of its user, where a limit of them may matter; null = not counted
 * @param limits as they bind the process
 * @param groups its control groups for memory and tasks, with their version
 * @param hints where else to look, a sentence each
 * @param notKnown what this look could not see, a sentence each
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ProcessLook(
    Identity identity,
    long descriptors,
    Map<String, Long> descriptorKinds,
    long threads,
    @Nullable Long mappings,
    @Nullable Long rssBytes,
    SocketUse sockets,
    Map<String, Long> counters,
    @Nullable Long userTasks,
    HostFacts limits,
    List<String> groups,
    List<String> hints,
    List<String> notKnown) {

  public ProcessLook {
    descriptorKinds = new TreeMap<>(descriptorKinds);
    counters = new TreeMap<>(counters);
    groups = List.copyOf(groups);
    hints = List.copyOf(hints);
    notKnown = List.copyOf(notKnown);
  }

  /**
   * Which process.
   *
   * @param pid as this process sees it
   * @param name of its program, up to 15 characters
   * @param foreignNamespaces kinds of namespaces in which it is not with this process: {@code net}, {@code mnt}, {@code pid}, ...
   * @param byRoot whether this process looks as root, and so needs no sudo
   * @param raisesLimits whether root here may raise hard limits: has CAP_SYS_RESOURCE in the host's user namespace
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Identity(long pid, String name, List<String> foreignNamespaces, boolean byRoot, boolean raisesLimits) {
    public Identity {
      foreignNamespaces = List.copyOf(foreignNamespaces);
    }

    boolean foreignNetwork() {
      return foreignNamespaces.contains("net");
    }

    /** {@code 4711 (nginx)}. */
    public String words() {
      return pid + " (" + name + ")";
    }
  }

  long connections() {
    return sockets.connections();
  }
}
