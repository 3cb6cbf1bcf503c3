package echoladder.harness.lab;

import echoladder.harness.common.ProcText;
import echoladder.harness.common.Refusal;
import echoladder.harness.tune.Change;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.StateFolder;
import echoladder.harness.tune.SysTree;
import echoladder.harness.tune.Tuning;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A User Mode Linux that was started, from its boot to its end, over the files and the console of init.sh. */
final class UmlGuest implements Lab.Guest {
  private static final long BOOT_BOUND_NS = 120_000_000_000L;
  private static final int OFF_BOUND_SECONDS = 15;
  private static final int KILL_BOUND_SECONDS = 30;
  private static final int LAST_LINES = 4;

  /** More connections than any guest has the memory for. */
  private static final int DESCRIPTORS = 1 << 22;

  private static final Knob NR_OPEN = new Knob("fs.nr_open", Integer.toString(DESCRIPTORS), false, List.of());

  private final LabFolder folder;
  private final Process watchdog;
  private final OutputStream console;
  private final UmlHost host;
  private final int cpu;
  private Lab.@Nullable Booted booted;
  private long outCopied;
  private long errCopied;

  UmlGuest(LabFolder folder, Process watchdog, UmlHost host, int cpu) {
    this.cpu = cpu;
    this.folder = folder;
    this.watchdog = watchdog;
    this.console = watchdog.getOutputStream();
    this.host = host;
  }

  /** Waits until the guest has made the settings of the profile and raised its limits. */
  void awaitReady(SettingsProfile profile, long startNs) throws IOException, InterruptedException {
    List<Knob> knobs = new ArrayList<>(profile.knobs());
    if (knobs.stream().noneMatch(knob -> knob.key().equals(NR_OPEN.key()))) {
      knobs.add(NR_OPEN);
    }
    Path sys = folder.file("sys");
    for (Knob knob : knobs) {
      Files.createDirectories(Objects.requireNonNull(sys.resolve(path(knob)).getParent()));
    }
    folder.write("knobs", knobs.stream().map(knob -> path(knob) + "\n").collect(Collectors.joining()));
    await("present", startNs);
    // The guest's values lie in a folder like /proc/sys, so the same code compares them as for this host.
    Tuning tuning = new Tuning(new SysTree(sys, "of the lab"), StateFolder.at(folder.dir()));
    List<Change> changes = tuning.plan(new SettingsProfile(profile.name(), knobs), false);
    List<Change> different = changes.stream().filter(c -> c.standing() == Change.Standing.DIFFERENT).toList();
    folder.write(
        "apply", different.stream().map(c -> path(c.knob()) + " " + c.target() + "\n").collect(Collectors.joining()));
    say("apply");
    Map<String, String> ready = facts(await("ready", startNs));
    double seconds = (System.nanoTime() - startNs) / 1e9;
    List<String> trouble = new ArrayList<>();
    changes.stream()
        .filter(c -> c.standing() == Change.Standing.ABSENT)
        .forEach(c -> trouble.add("this kernel has no " + c.knob().key()));
    events("trouble").forEach(trouble::add);
    double up = Double.parseDouble(ready.get("ready"));
    double started = Double.parseDouble(ready.get("started"));
    double mounted = Double.parseDouble(ready.get("mounted"));
    Map<String, Double> parts = new LinkedHashMap<>();
    parts.put("before its clock", Math.max(0, seconds - up));
    parts.put("kernel", started);
    parts.put("file systems and network", mounted - started);
    parts.put("settings", up - mounted);
    booted =
        new Lab.Booted(
            String.valueOf(ready.get("kernel")),
            Long.parseLong(ready.get("memory_kib")) << 10,
            cpu,
            Long.parseLong(ready.get("nofile")),
            different.size(),
            changes.size(),
            seconds,
            parts,
            trouble);
  }

  private static String path(Knob knob) {
    return knob.key().replace('.', '/');
  }

  private static Map<String, String> facts(String text) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (String word : text.split(" ", -1)) {
      int equals = word.indexOf('=');
      facts.put(word.substring(0, Math.max(0, equals)), word.substring(equals + 1));
    }
    return facts;
  }

  /** What follows an event's name; empty where nothing does. */
  private List<String> events(String name) throws IOException {
    return folder.lines("events").stream()
        .filter(line -> line.equals(name) || line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).trim())
        .toList();
  }

  private String await(String event, long startNs) throws IOException, InterruptedException {
    while (true) {
      List<String> found = events(event);
      if (!found.isEmpty()) {
        return found.getFirst();
      }
      if (!alive(2)) {
        throw Refusal.cannotRun("the lab's kernel ended before it was up" + lastWords());
      }
      if (System.nanoTime() - startNs > BOOT_BOUND_NS) {
        throw Refusal.cannotRun("the lab's kernel was not up within %d s%s".formatted(BOOT_BOUND_NS / 1_000_000_000L, lastWords()));
      }
    }
  }

  @Override
  public Lab.Booted booted() {
    return Objects.requireNonNull(booted, "not booted");
  }

  @Override
  public void start(List<String> command, Path directory, Map<String, String> environment) throws IOException {
    folder.writeCommand(command, directory, environment);
    say("run");
  }

  private void say(String line) throws IOException {
    console.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    console.flush();
  }

  @Override
  public void pump(LabStreams streams) throws IOException {
    outCopied = folder.copy("stdout", outCopied, streams.out());
    errCopied = folder.copy("stderr", errCopied, streams.err());
  }

  @Override
  public OptionalInt status() {
    try {
      List<String> said = events("status");
      return said.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(said.getFirst().split(" ", 2)[0]));
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot read what the lab says in " + folder.dir() + ": " + ErrorText.of(e));
    }
  }

  @Override
  public void signal(String name) throws IOException {
    say(name);
  }

  @Override
  public boolean alive(long waitMs) throws InterruptedException {
    for (long left = waitMs; ; left--) {
      if (!watchdog.isAlive() || Files.exists(folder.file("ended"))) {
        return false;
      }
      if (left <= 0) {
        return true;
      }
      Thread.sleep(1);
    }
  }

  @Override
  public long writtenBytes() {
    // The guest's kernel writes for all of its processes; its memory is mapped, and not written.
    return watchdog.descendants().mapToLong(UmlGuest::writtenBytes).sum();
  }

  private static long writtenBytes(ProcessHandle process) {
    return ProcText.lines("/proc/" + process.pid() + "/io").stream()
        .filter(line -> line.startsWith("wchar: "))
        .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
        .sum();
  }

  @Override
  public List<String> remarks() {
    try {
      List<String> remarks = new ArrayList<>();
      for (String line : consoleLines()) {
        if (line.contains("fix_range_common: failed, killing current process")) {
          remarks.add("the kernel killed a process: " + line + "; " + host.mapsAdvice());
        } else if (line.contains("Out of memory: Killed process") || line.contains("Kernel panic")) {
          remarks.add(line);
        }
      }
      return remarks.subList(0, Math.min(LAST_LINES, remarks.size()));
    } catch (IOException e) {
      return List.of("what the kernel said cannot be read: " + ErrorText.of(e));
    }
  }

  private List<String> consoleLines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String file : List.of("watchdog.log", "console")) {
      if (Files.exists(folder.file(file))) {
        Files.readString(folder.file(file), StandardCharsets.ISO_8859_1)
            .lines()
            .map(line -> line.replaceAll("\\p{Cntrl}", "").trim())
            .filter(line -> !line.isEmpty())
            .forEach(lines::add);
      }
    }
    return lines;
  }

  @Override
  public String lastWords() {
    try {
      // A panic is followed by its call trace, which says nothing to whom this is for.
      List<String> lines = consoleLines().stream().filter(line -> !line.startsWith("[<")).toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
      return last.isEmpty() ? "" : "; its last words: " + String.join(" | ", last);
    } catch (IOException e) {
      return "; its last words cannot be read: " + ErrorText.of(e);
    }
  }

  @Override
  public void close() {
    try {
      try {
        say("off");
      } catch (IOException e) {
        // The watchdog is gone, and the guest with it.
      }
      alive(OFF_BOUND_SECONDS * 1_000L);
      try {
        // The end of its stdin: the watchdog kills what still runs, and removes the folder.
        console.close();
      } catch (IOException e) {
        // As above.
      }
      if (!watchdog.waitFor(KILL_BOUND_SECONDS, TimeUnit.SECONDS)) {
        watchdog.descendants().forEach(ProcessHandle::destroyForcibly);
        watchdog.destroyForcibly().waitFor();
      }
      folder.deleteAfterKilled();
    } catch (InterruptedException e) {
      watchdog.descendants().forEach(ProcessHandle::destroyForcibly);
      watchdog.destroyForcibly();
      folder.deleteAfterKilled();
      Thread.currentThread().interrupt();
    }
  }
}
