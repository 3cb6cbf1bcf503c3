package echoladder.linux.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    String[] stat = ProcessFiles.stat(pid);
    return new Starter(kernel, pid, stat == null ? 0 : Long.parseLong(stat[19]));
  }

  /** The boot id of the kernel that this process runs under. */
  public static String kernel() {
    String id = ProcessFiles.read(Path.of("/proc/sys/kernel/random/boot_id"));
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
    String[] stat = bootId.equals(kernel()) ? ProcessFiles.stat(pid) : null;
    return stat != null && Long.parseLong(stat[19]) == startTicks && ProcessFiles.runs(stat);
  }

  /** The running processes that carry its mark and may be looked at; this one is not among them. */
  public List<ProcessHandle> started() {
    return ProcessTree.withVariable(VARIABLE + "=" + text()).stream()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .toList();
  }
}
