package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the environment that a reader of figures asks for first. The rest is in environment.json. */
public final class EnvironmentRows {
  private static final String[][] ROWS = {
    {"kernel", "kernel", "release"},
    {"architecture", "kernel", "architecture"},
    {"distribution", "distribution"},
    {"CPU", "cpu", "model"},
    {"processors", "cpu", "processors"},
    {"governor", "cpu", "governor"},
    {"under a hypervisor", "virtualization", "hypervisor_flag"},
    {"memory, bytes", "memory", "total_bytes"},
    {"nofile, soft / hard of the shell", "limits", "nofile_soft_of_shell", "nofile_hard_of_shell"},
    {"nofile, hard", "limits", "nofile_hard"},
    {"JVM", "runtimes", "jvm"},
    {"Go", "runtimes", "go"},
    {"net.core.somaxconn", "sysctl", "net.core.somaxconn"},
    {"net.ipv4.ip_local_port_range", "sysctl", "net.ipv4.ip_local_port_range"},
    {"net.ipv4.tcp_mem, pages", "sysctl", "net.ipv4.tcp_mem"},
    {"ladder", "ladder", "version"},
  };

  private EnvironmentRows() {}

  /** Name and value of each, as a table. */
  public static Table table(Map<String, @Nullable Object> environment) {
    Table table = new Table().words("", "");
    of(environment).forEach((name, value) -> table.row(name, value));
    return table;
  }

  /** The value of each by its name. */
  public static Map<String, String> of(Map<String, @Nullable Object> environment) {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String[] row : ROWS) {
      Object at = environment.get(row[1]);
      StringBuilder value = new StringBuilder();
      for (int i = 2; i < Math.max(3, row.length); i++) {
        Object part = i < row.length && at instanceof Map<?, ?> map ? map.get(row[i]) : at;
        value.append(i > 2 ? " / " : "").append(part == null ? Units.NONE : part);
      }
      rows.put(row[0], value.toString());
    }
    return rows;
  }

  /** The commit that was measured, and whether files differed from it. */
  public static String commit(Map<String, @Nullable Object> environment) {
    if (!(environment.get("ladder") instanceof Map<?, ?> ladder) || ladder.get("git_commit") == null) {
      return "an unknown commit";
    }
    return "commit " + ladder.get("git_commit") + (Boolean.TRUE.equals(ladder.get("git_dirty")) ? ", with changes" : "");
  }
}
