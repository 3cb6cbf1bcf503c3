package echoladder.harness.minimal;

import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.server.ServerSettings;
import echoladder.harness.tune.SysTree;
import echoladder.harness.tune.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a host is taken to have before anything is lifted: as it is, but for what was told.
 *
 * @param told kernel settings by key
 * @param nofile hard RLIMIT_NOFILE; null = as it is
 * @param backlog of the server
 */
public record Start(Map<String, String> told, @Nullable Long nofile, int backlog) {
  private static final int MOST_BACKLOG = 1 << 20;

  public Start {
    told = Map.copyOf(told);
  }

  /**
   * From KEY=VALUE, with a kernel setting, {@code nofile} or {@code backlog} as KEY.
   *
   * @throws Refusal (bad usage) that names what is none of these
   */
  public static Start parse(List<String> texts) {
    Map<String, String> told = new LinkedHashMap<>();
    Long nofile = null;
    int backlog = ServerSettings.DEFAULT.backlog();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String key = text.substring(0, Math.max(0, equals)).trim();
      String value = Values.normal(key, text.substring(equals + 1));
      if (value.isEmpty() || equals < 0) {
        throw Refusal.badUsage("--from " + text + ": not KEY=VALUE, e.g. --from net.core.somaxconn=128 or --from nofile=1024");
      }
      if (key.equals(Lift.Kind.SERVER_NOFILE.id)) {
        nofile = number(text, value, 64, 1 << 30);
      } else if (key.equals(Lift.Kind.BACKLOG.id)) {
        backlog = (int) number(text, value, 1, MOST_BACKLOG);
      } else if (SysTree.isKey(key)) {
        told.put(key, value);
      } else {
        throw Refusal.badUsage("--from " + text + ": '" + key + "' is no kernel setting, and neither nofile nor backlog");
      }
    }
    return new Start(told, nofile, backlog);
  }

  private static long number(String text, String value, long least, long most) {
    if (value.matches("\\d{1,12}") && Long.parseLong(value) >= least && Long.parseLong(value) <= most) {
      return Long.parseLong(value);
    }
    throw Refusal.badUsage("--from %s: not a number from %d to %d".formatted(text, least, most));
  }

  /** The host so. */
  public HostFacts of(HostFacts here) {
    return here.with(told, nofile);
  }
}
