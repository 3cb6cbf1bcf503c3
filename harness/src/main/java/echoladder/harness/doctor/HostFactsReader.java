package echoladder.harness.doctor;

import echoladder.harness.common.ProcText;
import echoladder.harness.limits.KnownLimit;
import echoladder.linux.ControlGroups;
import echoladder.linux.ProcSys;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the facts of this host from /proc and /sys. */
public final class HostFactsReader {
  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final int CAP_SYS_ADMIN = 21;
  private static final int CAP_SYS_RESOURCE = 24;

  private HostFactsReader() {}

  /** Reads the facts for this process and for the shell that started it. Takes a few milliseconds. */
  public static HostFacts read() {
    // ./ladder reads them before java raises its own.
    return gather("self", ofShell("echoladder.nofile.soft"), ofShell("echoladder.nofile.hard"));
  }

  /** As they bind another process, from its own limits, capabilities and control groups. */
  public static HostFacts of(long pid) {
    return gather(Long.toString(pid), null, null);
  }

  private static HostFacts gather(String process, @Nullable Long soft, @Nullable Long hard) {
    String proc = "/proc/" + process + "/";
    List<String> status = ProcText.lines(proc + "status");
    List<String> limits = ProcText.lines(proc + "limits");
    List<String> memory = ProcText.lines("/proc/meminfo");
    Cgroups cgroups = new Cgroups(new ControlGroups(Path.of("/"), process));
    long capabilities = hexadecimal(status, "CapEff:");
    Map<String, String> sysctl = new TreeMap<>();
    Set<String> writable = new TreeSet<>();
    KnownLimit.allSettings().forEach(key -> read(key, sysctl, writable));
    KnownLimit.allCounters().forEach(key -> read(key, sysctl, writable));
    return new HostFacts(
        soft == null ? limit(limits, "Max open files", 0) : soft,
        hard == null ? limit(limits, "Max open files", 1) : hard,
        hard == null ? proc + "limits, after java raised the soft one" : "the shell's ulimit",
        limit(limits, "Max processes", 0),
        ProcText.number(status, "Uid:").orElse(-1),
        initialUserNamespace(ProcText.lines(proc + "uid_map")),
        (capabilities >> CAP_SYS_RESOURCE & 1) == 1,
        (capabilities >> CAP_SYS_ADMIN & 1) == 1,
        sysctl,
        writable,
        tasks(String.valueOf(ProcText.read("/proc/loadavg"))),
        cgroups.pids(),
        cgroups.memory(),
        bytes(memory, "MemAvailable:"),
        commitLeft(memory),
        addresses());
  }

  private static void read(String key, Map<String, String> sysctl, Set<String> writable) {
    try {
      sysctl.put(key, ProcSys.read(key).replaceAll("\\s+", " "));
      if (Files.isWritable(Path.of("/proc/sys", key.replace('.', '/')))) {
        writable.add(key);
      }
    } catch (IOException e) {
      // Not in this kernel or namespace: the row of it says so.
      return;
    }
  }

  /** A limit of the user's shell, given by ./ladder; null where it was not. */
  static @Nullable Long ofShell(String property) {
    String text = System.getProperty(property);
    if (text == null || text.isBlank()) {
      return null;
    }
    return text.equals("unlimited") ? (Long) UNLIMITED : text.matches("\\d{1,18}") ? (Long) Long.parseLong(text) : null;
  }

  /** From the lines of /proc/PID/limits; field 0 = soft, 1 = hard. */
  static long limit(List<String> limits, String name, int field) {
    for (String line : limits) {
      if (line.startsWith(name)) {
        String word = line.substring(name.length()).trim().split("\\s+", -1)[field];
        return word.equals("unlimited") ? UNLIMITED : Long.parseLong(word);
      }
    }
    return UNLIMITED;
  }

  private static long hexadecimal(List<String> status, String key) {
    for (String line : status) {
      if (line.startsWith(key)) {
        return Long.parseUnsignedLong(line.substring(key.length()).trim(), 16);
      }
    }
    return 0;
  }

  /** Only there are all user ids mapped to themselves. */
  static boolean initialUserNamespace(List<String> uidMap) {
    return uidMap.size() == 1 && uidMap.getFirst().trim().split("\\s+", -1)[2].equals("4294967295");
  }

  /** The number after the slash: {@code 0.5 0.4 0.3 2/187 4242}. */
  static long tasks(String loadavg) {
    String[] words = loadavg.trim().split("[ /]", -1);
    return words.length > 4 && words[4].matches("\\d{1,9}") ? Long.parseLong(words[4]) : 0;
  }

  private static @Nullable Long bytes(List<String> memory, String key) {
    OptionalLong kib = ProcText.number(memory, key);
    return kib.isEmpty() ? null : (Long) (kib.getAsLong() << 10);
  }

  private static @Nullable Long commitLeft(List<String> memory) {
    Long limit = bytes(memory, "CommitLimit:");
    Long committed = bytes(memory, "Committed_AS:");
    return limit == null || committed == null ? null : (Long) Math.max(0, limit - committed);
  }

  private static int addresses() {
    try {
      return (int)
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
              .count();
    } catch (SocketException e) {
      // None to be seen is what a client finds too.
      return 0;
    }
  }
}
