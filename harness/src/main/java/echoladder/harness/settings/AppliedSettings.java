package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.Profile;
import echoladder.harness.tune.SysTree;
import echoladder.harness.tune.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server's entry while they are in force. Kernel settings go through the journal of {@code tune}, so
 * that what could not be put back can be later: {@code ladder tune restore --state DIR}.
 */
public final class AppliedSettings implements AutoCloseable {
  private final List<String> wrapper = new ArrayList<>();
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
  private final List<String> failures = new ArrayList<>();

  private AppliedSettings() {}

  /** Why they cannot be made here; null where nothing is known against it. */
  public static @Nullable String complaint(EntrySettings settings) {
    for (String key : settings.sysctl().keySet()) {
      Path file = Path.of("/proc/sys", key.replace('.', '/'));
      if (!Files.isWritable(file)) {
        return Files.exists(file)
            ? key + " cannot be set by this process"
            : key + " is not there in this kernel or network namespace";
      }
    }
    EntrySettings.OfServer server = settings.server();
    String memory = server.memoryBytes() == null ? null : ControlGroup.complaint("memory");
    return memory != null ? memory : server.tasks() == null ? null : ControlGroup.complaint("pids");
  }

  /**
   * Makes them.
   *
   * @param name of the entry, for the journal and the control groups
   * @throws IOException where one cannot be made; then none is
   */
  public static AppliedSettings of(EntrySettings settings, String name) throws IOException {
    AppliedSettings applied = new AppliedSettings();
    boolean all = false;
    try {
      applied.sysctls(settings, name);
      applied.process(settings.server(), name);
      all = true;
      return applied;
    } finally {
      if (!all) {
        applied.close();
      }
    }
  }

  private void sysctls(EntrySettings settings, String name) throws IOException {
    if (settings.sysctl().isEmpty()) {
      return;
    }
    List<Knob> knobs = new ArrayList<>();
    settings.sysctl().forEach((key, value) -> knobs.add(new Knob(key, value, false, List.of())));
    // Of this run alone: what the user has applied by 'tune' before it is not put back with it.
    Path state = Files.createTempDirectory("echo-ladder-settings-");
    Tuning tuning = new Tuning(SysTree.own(), state);
    try {
      tuning.apply(new Profile(name, knobs), true);
    } catch (Refusal e) {
      throw new IOException(e.getMessage(), e);
    }
    toClose.push(
        () -> {
          List<String> failed = tuning.restore(null).failed();
          failed.forEach(what -> failures.add(what + "; try again: ./ladder tune restore --state " + state));
          if (failed.isEmpty()) {
            Files.deleteIfExists(state.resolve("tune.lock"));
            Files.deleteIfExists(state);
          }
        });
  }

  private void process(EntrySettings.OfServer server, String name) throws IOException {
    String unique = "echo-ladder-" + ProcessHandle.current().pid() + "-" + name;
    if (server.memoryBytes() != null) {
      group(ControlGroup.make("memory", unique, "memory.max", server.memoryBytes()));
    }
    if (server.tasks() != null) {
      group(ControlGroup.make("pids", unique + "-tasks", "pids.max", server.tasks()));
    }
    if (server.nofile() != null) {
      wrapper.addAll(List.of("prlimit", "--nofile=%d:%d".formatted(server.nofile(), server.nofile())));
    }
    if (!server.without().isEmpty()) {
      // A program of root gets back at exec what is in the bounding set.
      String minus = String.join(",", server.without().stream().map(capability -> "-" + capability).toList());
      wrapper.addAll(List.of("setpriv", "--bounding-set", minus, "--inh-caps", minus));
    }
  }

  private void group(ControlGroup made) {
    toClose.push(made);
    wrapper.addAll(made.wrapper());
  }

  /** The command that starts a process under them: each of the parts before it execs what follows. */
  public List<String> wrap(List<String> argv) {
    List<String> wrapped = new ArrayList<>(wrapper);
    wrapped.addAll(argv);
    return wrapped;
  }

  /** What could not be put back; empty before {@link #close} and where all could. */
  public List<String> failures() {
    return failures;
  }

  @Override
  public void close() {
    while (!toClose.isEmpty()) {
      try {
        toClose.pop().close();
      } catch (Exception e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
  }
}
