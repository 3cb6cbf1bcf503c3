package echoladder.harness.lab;

import echoladder.harness.common.Command;
import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Modules of a lab's kernel, which the package user-mode-linux has beside it. Nothing loads them by itself: there is no modprobe for
 * their folder. They go with the lab.
 */
public final class LabModules {
  private static final Path FOLDER = Path.of("/usr/lib/uml/modules");

  private LabModules() {}

  /**
   * Loads a module with those that it needs; outside of a lab, and where it is loaded, nothing is done.
   *
   * @param name e.g. {@code sch_netem}
   * @throws IOException where this kernel has no such module, or does not take it
   */
  public static void load(String name) throws IOException {
    if (!LabMark.inside() || Files.isDirectory(Path.of("/sys/module", name))) {
      return;
    }
    Path modules = FOLDER.resolve(String.valueOf(ProcText.read("/proc/sys/kernel/osrelease")).trim());
    List<String> files = files(ProcText.lines(modules.resolve("modules.dep").toString()), name);
    if (files.isEmpty()) {
      throw new IOException("no module %s in %s, which the Debian package user-mode-linux brings".formatted(name, modules));
    }
    for (String file : files) {
      String each = file.replaceAll(".*/|\\.ko$", "");
      if (!Files.isDirectory(Path.of("/sys/module", each.replace('-', '_')))) {
        Command.answer(Path.of("/"), "insmod", modules.resolve(file).toString());
      }
    }
  }

  /**
   * The files to load in this order: what a module needs first; none where it is not listed.
   *
   * @param dependencies lines of modules.dep: {@code kernel/net/b.ko: kernel/net/a.ko}
   */
  static List<String> files(List<String> dependencies, String name) {
    for (String line : dependencies) {
      String[] parts = line.split(":", 2);
      if (parts.length == 2 && parts[0].endsWith("/" + name + ".ko")) {
        List<String> files = new ArrayList<>(List.of(parts[0]));
        for (String needed : parts[1].strip().split("\\s+", -1)) {
          if (!needed.isEmpty()) {
            files.addFirst(needed);
          }
        }
        return files;
      }
    }
    return List.of();
  }
}
