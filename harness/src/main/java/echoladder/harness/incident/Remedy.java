package echoladder.harness.incident;

import static echoladder.harness.incident.Amounts.ANY;

import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.doctor.DescriptorLimits;
import echoladder.harness.doctor.HostFacts;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command that lifts a limit of a process that runs, without a new start where that is possible. A limit is doubled at the least, so
 * that the command need not be run again soon.
 *
 * @param look at the process
 */
record Remedy(ProcessLook look) {
  /** Where no command of the host lifts anything. */
  static final String NONE = "#";

  private static final long MOST_PID = 4_194_304;
  private static final String WIDEST_RANGE = "1024 65535";
  private static final int LOWEST_PORT = 1_024;
  private static final int HIGHEST_PORT = 65_535;
  static final String RANGE = "net.ipv4.ip_local_port_range";

  /** The last unit of systemd in the path of a control group, e.g. {@code nginx.service}. */
  private static final Pattern UNIT = Pattern.compile(".*/([^/]+\\.(?:service|scope|slice))(?:/.*)?");

  private String sudo() {
    return look.identity().byRoot() ? "" : "sudo ";
  }

  /** A process of the same user may raise its soft limit up to the hard one; beyond that it takes CAP_SYS_RESOURCE. */
  String descriptors(long needed) {
    HostFacts limits = look.limits();
    Long open = limits.number("fs.nr_open");
    long most = open == null ? DescriptorLimits.DROP_IN_NOFILE : open;
    long soft = limits.nofileSoft();
    long hard = Math.min(limits.nofileHard(), most);
    if (hard > soft && hard >= needed) {
      return prlimit("", hard);
    }
    long wanted = Math.max(Math.max(needed, 2 * soft), Math.min(DescriptorLimits.DROP_IN_NOFILE, most));
    return wanted <= most
        ? prlimit(sudo(), wanted)
        : "%ssysctl -w fs.nr_open=%d && %s".formatted(sudo(), wanted, prlimit(sudo(), wanted));
  }

  private String prlimit(String sudo, long nofile) {
    return "%sprlimit --pid %d --nofile=%d:%d".formatted(sudo, look.identity().pid(), nofile, nofile)
        + outside(nofile > look.limits().nofileHard());
  }

  /** Root of many containers may not raise a hard limit. */
  private String outside(boolean raises) {
    return raises && look.identity().byRoot() && !look.identity().raisesLimits()
        ? "  # as root of the host, by the pid that the process has there: CAP_SYS_RESOURCE is missing here"
        : "";
  }

  /** Bounds the whole kernel. */
  String setting(String key, long needed, long most) {
    long wanted = Math.max(needed, most > ANY / 2 ? most : 2 * most);
    return "%ssysctl -w %s=%d".formatted(sudo(), key, key.equals("kernel.pid_max") ? Math.min(MOST_PID, wanted) : wanted);
  }

  /** Bounds the process's network namespace. */
  String networkSetting(String key, String value) {
    boolean foreign = look.identity().foreignNetwork();
    return "%s%ssysctl -w %s=%s".formatted(sudo(), foreign ? "nsenter -t %d -n ".formatted(look.identity().pid()) : "", key, value);
  }

  String userTasks(long needed, long most) {
    long wanted = Math.max(needed, 2 * most);
    return "%sprlimit --pid %d --nproc=%d:%d".formatted(sudo(), look.identity().pid(), wanted, wanted) + outside(true);
  }

  String groupTasks(CgroupLimit group) {
    String unit = unit(group.file());
    return unit != null
        ? "%ssystemctl set-property --runtime %s TasksMax=infinity".formatted(sudo(), unit)
        : "echo max | %stee %s".formatted(sudo(), group.file());
  }

  String groupMemory(CgroupLimit group) {
    String unit = unit(group.file());
    return unit != null
        ? "%ssystemctl set-property --runtime %s MemoryMax=%d".formatted(sudo(), unit, 2 * group.most())
        : "echo %d | %stee %s".formatted(2 * group.most(), sudo(), group.file());
  }

  private static @Nullable String unit(String file) {
    Matcher matcher = UNIT.matcher(file);
    return matcher.matches() ? matcher.group(1) : null;
  }

  String ports() {
    Long first = look.limits().number(RANGE, 0);
    Long last = look.limits().number(RANGE, 1);
    boolean wide = first != null && last != null && first <= LOWEST_PORT && last >= HIGHEST_PORT;
    return wide
        ? NONE + " the range is as wide as it can be: more source addresses, or more destination addresses or ports"
        : networkSetting(RANGE, "'" + WIDEST_RANGE + "'");
  }

  /** A queue's backlog is settled when the program begins to listen. */
  String queue(Listener listener) {
    Long somaxconn = look.limits().number("net.core.somaxconn");
    boolean bySetting = somaxconn != null && listener.backlog() != null && listener.backlog() >= somaxconn;
    return bySetting
        ? networkSetting("net.core.somaxconn", "65535") + "  # then a new start, with a backlog as great"
        : NONE + " have the program accept faster, and listen with a greater backlog; net.core.somaxconn (%s) is not in the way"
            .formatted(Amounts.count(somaxconn));
  }

  String memory() {
    return NONE + " more memory, or fewer connections";
  }

  String tcpMemory(long most) {
    return "%ssysctl -w net.ipv4.tcp_mem='%d %d %d'".formatted(sudo(), most / 2, most, 2 * most);
  }
}
