package echoladder.harness.lab;

import echoladder.harness.common.Refusal;
import echoladder.linux.Root;
import echoladder.linux.process.Starter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Linux as an ordinary process of this host, without root: user_mode_linux_howto of the kernel's documentation. One
 * processor; each system call inside is caught from outside, at some hundred times its usual cost, so neither times nor
 * CPU from inside mean anything. Its limits are a kernel's own.
 */
public final class UserModeLinux implements Lab {
  /** As results name it. */
  public static final String KIND = "user-mode-linux";

  /** Neither times nor CPU: a system call costs many times what it costs elsewhere, and there is one processor. */
  static final Set<Quotable> CLAIMS =
      Collections.unmodifiableSet(EnumSet.of(Quotable.LIMITS, Quotable.MEMORY, Quotable.FAILURE_MODES));

  private final UmlHost host;

  /** On this host. */
  public UserModeLinux() {
    this(UmlHost.own());
  }

  UserModeLinux(UmlHost host) {
    this.host = host;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Set<Quotable> mayClaim() {
    return CLAIMS;
  }

  @Override
  public List<String> check(LabSettings settings) {
    host.refuseWithoutPrograms();
    host.memoryFolder(settings.memoryBytes());
    host.refuseFewMappings(settings.memoryBytes(), settings.leastMappings());
    if (confined(settings)) {
      Confinement.refuseWhereThereIsNone();
    }
    return host.doubts(settings.memoryBytes());
  }

  /** An ordinary user's lab may write what the user may; root's would write everywhere. */
  private static boolean confined(LabSettings settings) {
    return settings.scratch() && Root.uid() == 0;
  }

  @Override
  public Guest boot(LabSettings settings) throws IOException {
    host.refuseWithoutPrograms();
    Path memory = host.memoryFolder(settings.memoryBytes());
    int cpu = LabCpu.choose();
    LabFolder folder = LabFolder.create();
    folder.writeView(settings, confined(settings));
    List<String> argv = new ArrayList<>();
    argv.addAll(List.of("setsid", "bash", folder.file("watchdog.sh").toString(), folder.dir().toString()));
    // Its threads and processes inherit it.
    argv.addAll(List.of("taskset", "-c", Integer.toString(cpu), host.program(UmlHost.KERNEL).toString()));
    argv.addAll(
        List.of(
            "mem=" + (settings.memoryBytes() >> 20) + "M",
            "rootfstype=hostfs",
            "rootflags=/",
            "rw",
            "init=" + folder.file("init.sh"),
            // Its pid file and control socket, which it would put into the home folder.
            "uml_dir=" + folder.dir(),
            "umid=guest",
            "con=null",
            "ssl=null",
            "con0=fd:0,fd:1"));
    ProcessBuilder builder = new ProcessBuilder(argv);
    builder.environment().put("TMPDIR", memory.toString());
    Starter.own().mark(builder.environment());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(folder.file("watchdog.log").toFile());
    long startNs = System.nanoTime();
    UmlGuest guest = new UmlGuest(folder, builder.start(), host, cpu);
    try {
      guest.awaitReady(settings.profile(), startNs);
      return guest;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      guest.close();
      throw Refusal.cannotRun("the lab was interrupted while it booted");
    } catch (IOException | RuntimeException e) {
      guest.close();
      throw e;
    }
  }
}
