package echoladder.needs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A machine without some programs: a mount namespace of its own in which an empty file that nobody may execute lies over
 * each. Nothing outside of it changes. Needs {@link Need#UNSHARE}, {@link Need#MOUNT} and {@link Need#NAMESPACES}.
 */
public final class HiddenPrograms {
  private static final long LONGEST_S = 900;

  private HiddenPrograms() {}

  /**
   * How the tests ended that need one of the hidden programs.
   *
   * @param status 0 where there are some and each was skipped for what is hidden, 1 otherwise
   * @param said a line for each test and what it was skipped for, or what went wrong
   */
  public record Outcome(int status, String said) {}

  /**
   * Hides the programs of one set after the other in such a namespace and runs each time the tests that need one of them, by
   * one JVM with the class path of this one.
   *
   * @param scratch a folder for files of its own
   * @param testClasses the folders with the tests, of modules whose libraries are on the class path
   * @return an outcome for each set
   */
  public static Map<Set<Need>, Outcome> without(List<Set<Need>> sets, Path scratch, List<Path> testClasses)
      throws IOException, InterruptedException {
    Files.writeString(scratch.resolve(HiddenRun.EMPTY), "");
    String classPath = System.getProperty("java.class.path");
    for (Path folder : testClasses) {
      classPath += ":" + folder;
    }
    List<String> argv =
        new ArrayList<>(
            List.of(
                "unshare", "--mount", "--propagation", "private",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Dbasedir=" + scratch, "-cp", classPath, HiddenRun.class.getName(),
                scratch.toString(), String.join(";", sets.stream().map(HiddenPrograms::ids).toList())));
    testClasses.forEach(folder -> argv.add(folder.toString()));
    Path said = scratch.resolve("said");
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      boolean ended = process.waitFor(LONGEST_S, TimeUnit.SECONDS) && process.exitValue() == 0;
      Map<Set<Need>, Outcome> outcomes = new LinkedHashMap<>();
      for (Set<Need> set : sets) {
        Path own = scratch.resolve(ids(set));
        outcomes.put(set, ended ? outcome(Files.readString(own)) : new Outcome(1, Files.readString(said)));
      }
      return outcomes;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Reads an outcome that {@link HiddenRun} has written: the status, and on further lines what was said. */
  private static Outcome outcome(String text) {
    String[] parts = text.split("\n", 2);
    return new Outcome(Integer.parseInt(parts[0]), parts[1]);
  }

  static String ids(Set<Need> set) {
    return String.join(",", set.stream().map(Need::id).toList());
  }

  /** Where they lie, each once, links followed. */
  static Set<Path> files(Collection<Need> hidden) throws IOException {
    Set<Path> files = new TreeSet<>();
    List<Path> folders =
        Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1), new String[] {"/usr/sbin", "/sbin"})
            .flatMap(Stream::of)
            .map(Path::of)
            .toList();
    for (Need need : hidden) {
      for (String name : need.programs()) {
        for (Path folder : folders) {
          if (Files.isRegularFile(folder.resolve(name))) {
            files.add(folder.resolve(name).toRealPath());
          }
        }
      }
    }
    return files;
  }
}
