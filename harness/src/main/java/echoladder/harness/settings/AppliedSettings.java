package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.tune.ControlGroup;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.RunJournal;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.SysTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server's entry while they are in force. Kernel settings and control groups go through the run's
 * journal, so that what could not be put back can be later, also after a SIGKILL: {@code ladder tune restore}.
 */
public final class AppliedSettings implements AutoCloseable {
  private final List<String> wrapper = new ArrayList<>();
  private final RunJournal journal = new RunJournal();
  private @Nullable OwnLoopback loopback;
  private @Nullable NetworkLink link;
  private boolean ownGroups;
  private final List<String> failures = new ArrayList<>();

  private AppliedSettings() {}

  /** Why they cannot be made here; null where nothing is known against it. */
  public static @Nullable String complaint(EntrySettings settings) {
    for (String key : settings.sysctl().keySet()) {
      if (!SysTree.isKey(key)) {
        return "'" + key + "' is no name of a kernel setting";
      }
      Path file = Path.of("/proc/sys", key.replace('.', '/'));
      if (!Files.isWritable(file)) {
        return Files.exists(file)
            ? key + " cannot be set by this process"
            : key + " is not there in this kernel or network namespace";
      }
    }
    String loopback = OwnLoopback.complaint(settings.loopback());
    if (loopback != null) {
      return loopback;
    }
    String network = settings.network() == null ? null : NetworkLink.complaint();
    if (network != null) {
      return network;
    }
    Map<ControlGroup.Kind, Long> groups = groups(settings.server());
    String journal = settings.sysctl().isEmpty() && groups.isEmpty() ? null : RunJournal.complaint();
    if (journal != null) {
      return journal;
    }
    return groups.keySet().stream().map(ControlGroup::complaint).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /**
   * Makes them.
   *
   * @param name of the entry, for the journal and the control groups
   * @throws IOException where one cannot be made; then none is
   */
  public static AppliedSettings of(EntrySettings settings, String name) throws IOException {
    AppliedSettings applied = new AppliedSettings();
    try {
      applied.sysctls(settings, name);
      applied.loopback = OwnLoopback.set(settings.loopback());
      applied.link = NetworkLink.of(settings);
      if (applied.link != null) {
        // First, as what comes after it may take the right to enter a namespace.
        applied.wrapper.addAll(applied.link.wrapper());
      }
      applied.process(settings.server(), name);
      return applied;
    } catch (IOException e) {
      applied.close();
      applied.failures.addFirst(String.valueOf(e.getMessage()));
      throw new IOException(String.join("; ", applied.failures), e);
    }
  }

  private static Map<ControlGroup.Kind, Long> groups(EntrySettings.OfServer server) {
    Map<ControlGroup.Kind, Long> limits = new EnumMap<>(ControlGroup.Kind.class);
    if (server.memoryBytes() != null) {
      limits.put(ControlGroup.Kind.MEMORY, server.memoryBytes());
    }
    if (server.tasks() != null) {
      limits.put(ControlGroup.Kind.TASKS, server.tasks());
    }
    return limits;
  }

  private void sysctls(EntrySettings settings, String name) throws IOException {
    if (settings.sysctl().isEmpty()) {
      return;
    }
    List<Knob> knobs = new ArrayList<>();
    settings.sysctl().forEach((key, value) -> knobs.add(new Knob(key, value, false, List.of())));
    try {
      journal.apply(new SettingsProfile(name, knobs));
    } catch (Refusal e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void process(EntrySettings.OfServer server, String name) throws IOException {
    String unique = "echo-ladder-" + ProcessHandle.current().pid() + "-" + name;
    try {
      for (ControlGroup made : journal.groups(unique, groups(server))) {
        ownGroups = true;
        wrapper.addAll(made.wrapper());
      }
    } catch (Refusal e) {
      throw new IOException(e.getMessage(), e);
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

  /** The command that starts a process under them: each of the parts before it execs what follows. */
  public List<String> wrap(List<String> argv) {
    List<String> wrapped = new ArrayList<>(wrapper);
    wrapped.addAll(argv);
    return wrapped;
  }

  /** Whether a process that is started under them is in a control group of its own. */
  public boolean ownGroups() {
    return ownGroups;
  }

  /** The network between client and server; null = loopback. */
  public @Nullable NetworkLink link() {
    return link;
  }

  /** What could not be put back; empty before {@link #close} and where all could. */
  public List<String> failures() {
    return failures;
  }

  @Override
  public void close() {
    try {
      if (link != null) {
        link.close();
      }
    } catch (IOException e) {
      failures.add("the network could not be taken away: " + e.getMessage());
    }
    try {
      if (loopback != null) {
        loopback.close();
      }
    } catch (IOException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
    try {
      journal.close();
    } catch (IOException | Refusal e) {
      failures.add(String.valueOf(e.getMessage()));
    }
  }
}
