package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.ANY;
import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Threads and processes, and the mappings that threads take. */
public final class TaskLimits {
  /** Threads of runtimes and the rest, by limit. */
  private static final long HOST_OWN = 2_048;

  private static final long PROCESSES_OWN = 512;

  /** Less is too little for three JVMs; between this and {@link #PROCESSES_OWN} it depends on the processors. */
  private static final long LEAST_OWN = 128;

  private static final long MAPS_OWN = 1_024;

  /** Mappings per JVM thread, in tenths: stack and guard page, and some for their heap's growth. */
  public static final long MAPS_TENTHS = 22;

  /** Once the ids of threads have gone round, the kernel gives none of the first 300 again (RESERVED_PIDS in kernel/pid.c). */
  public static final long RESERVED_PIDS = 300;

  /** In a file of its own, as that of descriptors is written in the same way; a number could lower the hard limit. */
  private static final String LOGIN =
      "echo \"$(id -un) - nproc unlimited\" | sudo tee /etc/security/limits.d/91-echo-ladder-threads.conf" + DescriptorLimits.AT_LOGIN;

  private TaskLimits() {}

  static List<Row> rows(Question question, HostFacts host) {
    long threads = question.threads();
    List<Row> rows = new ArrayList<>();
    rows.add(
        Limit.sysctl(host, KnownLimit.THREADS_MAX)
            .needs(threads + HOST_OWN, "T + %,d".formatted(HOST_OWN))
            .note(whence(question))
            .allows(allowed(question, host.number("kernel.threads-max"), HOST_OWN))
            .row());
    long others = host.tasks() + PROCESSES_OWN;
    rows.add(
        Limit.sysctl(host, KnownLimit.PID_MAX)
            .needs(threads + others, "T + %,d tasks now + %d".formatted(host.tasks(), PROCESSES_OWN))
            .allows(allowed(question, host.number("kernel.pid_max"), others))
            .row());
    rows.add(
        Limit.of(host, KnownLimit.NPROC)
            .present(host.nprocSoft())
            .needs(threads + PROCESSES_OWN, "T + %d, all threads of the user".formatted(PROCESSES_OWN))
            .allows(allowed(question, host.nprocSoft(), PROCESSES_OWN))
            .exempt(host.unboundByNproc() ? "this process is exempt, as root or by its capabilities" : null)
            .lift(
                host.raisesHardLimits()
                    ? "ulimit -u " + (threads + PROCESSES_OWN)
                    : LOGIN,
                host.raisesHardLimits(),
                "nproc " + count(host.nprocSoft()) + " cannot be raised without CAP_SYS_RESOURCE")
            .risk(bare(question, host.nprocSoft()))
            .row());
    rows.add(pids(question, host, threads));
    rows.add(
        Limit.sysctl(host, KnownLimit.MAX_MAP_COUNT)
            .needs(threads * MAPS_TENTHS / 10 + MAPS_OWN, "2.2 x T + %,d in the server's process".formatted(MAPS_OWN))
            .allows(mapped(question, host.number("vm.max_map_count")))
            .row());
    return rows;
  }

  private static Row pids(Question question, HostFacts host, long threads) {
    CgroupLimit pids = host.pids();
    Limit limit = Limit.of(host, KnownLimit.CGROUP_PIDS);
    if (pids == null) {
      return limit.notHere("no pids.max of a cgroup, which is what systemd's TasksMax sets, limits this process");
    }
    return limit
        .present(pids.left())
        .needs(threads + PROCESSES_OWN, "T + %d".formatted(PROCESSES_OWN))
        .note("present: what %s %,d leaves beside %,d tasks".formatted(pids.file(), pids.most(), pids.used()))
        .allows(allowed(question, pids.left(), PROCESSES_OWN))
        .lift(
            "echo %d > %s".formatted(pids.used() + threads + PROCESSES_OWN, pids.file()),
            pids.writable(),
            "pids.max %s cannot be raised from inside".formatted(count(pids.most())))
        .risk(bare(question, pids.left()))
        .row();
  }

  /** Whether only the runtimes' own threads are in question, and there is room for the least of them. */
  private static boolean bare(Question question, long most) {
    return question.threads() == 0 && most >= LEAST_OWN;
  }

  private static String whence(Question question) {
    int each = question.server().threadsPerConnection();
    return each == 0
        ? "T = 0: a platform thread per connection only with platform-threads"
        : "T = %,d: %d per connection".formatted(question.threads(), each);
  }

  private static @Nullable Long allowed(Question question, @Nullable Long most, long own) {
    if (most == null) {
      return null;
    }
    int each = question.role().server ? question.server().threadsPerConnection() : 0;
    if (each == 0 || most == ANY) {
      return most >= own ? ANY : 0L;
    }
    return (most - own) / each;
  }

  private static @Nullable Long mapped(Question question, @Nullable Long most) {
    return most == null ? null : allowed(question, most < MAPS_OWN ? 0 : (most - MAPS_OWN) * 10 / MAPS_TENTHS, 0);
  }
}
