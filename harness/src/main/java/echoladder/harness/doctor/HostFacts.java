package echoladder.harness.doctor;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a host shows of its limits to this process. Long.MAX_VALUE = unlimited; null = not shown here.
 *
 * @param nofileSoft RLIMIT_NOFILE of the user's shell; a JVM raises its own
 * @param nofileHard the same, hard
 * @param nofileSource where both are from
 * @param nprocSoft RLIMIT_NPROC
 * @param uid real
 * @param initialUserNamespace whether capabilities count for what belongs to the whole host
 * @param capSysResource effective CAP_SYS_RESOURCE, which may raise hard limits
 * @param capSysAdmin effective CAP_SYS_ADMIN, which fs.file-max does not bind
 * @param sysctl by key; what this kernel or namespace does not have is missing
 * @param writable keys that this process may write
 * @param tasks processes and threads on the host
 * @param pids tightest pids limit of a cgroup
 * @param memory tightest memory limit of a cgroup
 * @param memoryAvailableBytes MemAvailable
 * @param commitLeftBytes CommitLimit - Committed_AS, which counts where vm.overcommit_memory is 2
 * @param addresses IPv4 addresses of this host beside loopback
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record HostFacts(
    long nofileSoft,
    long nofileHard,
    String nofileSource,
    long nprocSoft,
    long uid,
    boolean initialUserNamespace,
    boolean capSysResource,
    boolean capSysAdmin,
    Map<String, String> sysctl,
    Set<String> writable,
    long tasks,
    @Nullable CgroupLimit pids,
    @Nullable CgroupLimit memory,
    @Nullable Long memoryAvailableBytes,
    @Nullable Long commitLeftBytes,
    int addresses) {

  public HostFacts {
    sysctl = new TreeMap<>(sysctl);
    writable = new TreeSet<>(writable);
  }

  /**
   * This host with other values.
   *
   * @param others kernel settings by key
   * @param nofile hard RLIMIT_NOFILE; null = as it is
   */
  public HostFacts with(Map<String, String> others, @Nullable Long nofile) {
    Map<String, String> all = new TreeMap<>(sysctl);
    all.putAll(others);
    return nofile == null ? replacing(all) : replacing(all, Math.min(nofileSoft, nofile), nofile, "told");
  }

  /** Facts of this host with those kernel settings alone. */
  public HostFacts replacing(Map<String, String> settings) {
    return replacing(settings, nofileSoft, nofileHard, nofileSource);
  }

  private HostFacts replacing(Map<String, String> settings, long soft, long hard, String source) {
    return new HostFacts(
        soft, hard, source, nprocSoft, uid, initialUserNamespace, capSysResource, capSysAdmin, settings, writable, tasks, pids, memory,
        memoryAvailableBytes, commitLeftBytes, addresses);
  }

  /** Whether this process may raise its hard limits. */
  public boolean raisesHardLimits() {
    return capSysResource && initialUserNamespace;
  }

  /** Whether fs.file-max does not bind this process: the kernel exempts who has CAP_SYS_ADMIN. */
  public boolean unboundByFileMax() {
    return capSysAdmin && initialUserNamespace;
  }

  /** Whether RLIMIT_NPROC does not bind this process: the kernel exempts root, and who has CAP_SYS_RESOURCE or CAP_SYS_ADMIN. */
  public boolean unboundByNproc() {
    return initialUserNamespace && (uid == 0 || capSysResource || capSysAdmin);
  }

  /** The field (from 0) of a setting that is made of numbers; null where it is not shown. */
  public @Nullable Long number(String key, int field) {
    String text = sysctl.get(key);
    if (text == null) {
      return null;
    }
    String[] fields = text.split("\\s+", -1);
    return field < fields.length && fields[field].matches("\\d{1,18}|9[0-1]\\d{17}|92[0-2]\\d{16}")
        ? (Long) Long.parseLong(fields[field])
        : null;
  }

  /** The first number. */
  public @Nullable Long number(String key) {
    return number(key, 0);
  }
}
