package echoladder.needs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A machine without some programs: a mount namespace of its own in which an empty file that nobody may execute lies over
 * each. Nothing outside of it changes. Needs {@link Need#UNSHARE}, {@link Need#MOUNT} and {@link Need#NAMESPACES}.
 */
public final class HiddenPrograms {
  private static final long LONGEST_S = 300;

  private HiddenPrograms() {}

  /**
   * How the tests ended that need one of the hidden programs.
   *
   * @param status 0 where there are some and each was skipped for what is hidden, 1 otherwise
   * @param said a line for each test and what it was skipped for, or what went wrong
   */
  public record Outcome(int status, String said) {}

  /**
   * Runs in such a namespace the tests that need one of the programs, by a JVM with the class path of this one.
   *
   * @param scratch a folder for files of its own
   * @param testClasses the folders with the tests, of modules whose libraries are on the class path
   */
  public static Outcome without(Set<Need> hidden, Path scratch, List<Path> testClasses)
      throws IOException, InterruptedException {
    Path empty = Files.writeString(scratch.resolve("hidden"), "");
    StringBuilder script = new StringBuilder("set -e\n");
    for (Path program : files(hidden)) {
      script.append("mount --bind '").append(empty).append("' '").append(program).append("'\n");
    }
    List<String> argv =
        new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", script + "exec \"$@\"", "sh"));
    String classPath = System.getProperty("java.class.path");
    for (Path folder : testClasses) {
      classPath += ":" + folder;
    }
    argv.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-D" + Lacks.ASKED + "=" + String.join(",", hidden.stream().map(Need::id).toList()),
            "-Dbasedir=" + scratch, "-cp", classPath, HiddenRun.class.getName()));
    testClasses.forEach(folder -> argv.add(folder.toString()));
    Path said = scratch.resolve("said");
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      int status = process.waitFor(LONGEST_S, TimeUnit.SECONDS) ? process.exitValue() : 1;
      return new Outcome(status, Files.readString(said, StandardCharsets.UTF_8));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Where they lie, each once, links followed. */
  private static Set<Path> files(Set<Need> hidden) throws IOException {
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
