package echoladder.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who started a process: a pid alone is given again, with the boot and the time of its start it is not. Whatever a
 * harness starts has it in its environment, and hands it on, so that it is found when its harness was killed.
 *
 * @param bootId of the kernel that the process runs under; a lab's command has that of the host behind the lab
 * @param pid as that kernel counts
 * @param startTicks when it started, in clock ticks since that boot
 */
public record Starter(String bootId, long pid, long startTicks) {
  /** The variable that a process finds its starter in. */
  public static final String VARIABLE = "ECHOLADDER_STARTED_BY";

  /** Of a stat file: ended, but not yet waited for. */
  private static final Set<String> DEAD = Set.of("Z", "X", "x");

  /** This process; in a lab the one on the host that booted it, as the lab does not outlive that. */
  public static Starter own() {
    Starter told = parse(System.getenv(VARIABLE));
    return told != null && !told.bootId.equals(kernel()) ? told : here();
  }

  /** This process, in a lab too. */
  static Starter here() {
    return of(ProcessHandle.current().pid(), kernel());
  }

  /** This process as its own kernel counts, also in a lab. */
  public static Starter process() {
    return of(ProcessHandle.current().pid(), kernel());
  }

  private static Starter of(long pid, String kernel) {
    String[] stat = stat(pid);
    return new Starter(kernel, pid, stat == null ? 0 : Long.parseLong(stat[19]));
  }

  /** The boot id of the kernel that this process runs under. */
  public static String kernel() {
    String id = read(Path.of("/proc/sys/kernel/random/boot_id"));
    return id == null ? "unknown" : id.trim();
  }

  /** From its {@link #text}; null where it is none. */
  public static @Nullable Starter parse(@Nullable String text) {
    String[] parts = text == null ? new String[0] : text.trim().split(":", -1);
    return parts.length == 3 && parts[1].matches("\\d{1,18}") && parts[2].matches("\\d{1,18}")
        ? new Starter(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]))
        : null;
  }

  /** As one word. */
  public String text() {
    return bootId + ":" + pid + ":" + startTicks;
  }

  /** Puts it into the environment of a process that is about to be started. */
  public void mark(Map<String, String> environment) {
    environment.put(VARIABLE, text());
  }

  /** Whether it runs under this kernel; of another kernel's nothing is known, and this is false. */
  public boolean alive() {
    String[] stat = bootId.equals(kernel()) ? stat(pid) : null;
    return stat != null && Long.parseLong(stat[19]) == startTicks && !DEAD.contains(stat[0]);
  }

  /** The running processes that carry its mark and may be looked at; this one is not among them. */
  public List<ProcessHandle> started() {
    String mark = VARIABLE + "=" + text();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> List.of(environment(process.pid()).split("\0", -1)).contains(mark))
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  private static String environment(long pid) {
    String text = read(Path.of("/proc/" + pid + "/environ"));
    return text == null ? "" : text;
  }

  /** The words of a stat file from the state on: the start is the twentieth; null where there is no such process. */
  private static String @Nullable [] stat(long pid) {
    String text = read(Path.of("/proc/" + pid + "/stat"));
    // A command's name may contain blanks and parentheses.
    return text == null ? null : text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
  }

  private static @Nullable String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // It has ended, or is somebody else's.
      return null;
    }
  }
}
