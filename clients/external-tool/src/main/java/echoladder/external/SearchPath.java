package echoladder.external;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where executables are looked for.
 *
 * @param folders as in the environment variable PATH
 */
public record SearchPath(String folders) {

  /** That of this process. */
  public static SearchPath own() {
    String path = System.getenv("PATH");
    return new SearchPath(path == null ? "" : path);
  }

  /** The first executable file of this name. */
  public Optional<Path> find(String name) {
    for (String folder : folders.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
      if (isProgram(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  /** The first executable file of one of these names; an earlier name counts before a later one. */
  public Optional<Path> find(List<String> names) {
    return names.stream().flatMap(name -> find(name).stream()).findFirst();
  }

  /**
   * The program of a load tool.
   *
   * @param names that it may have, the tool's own first
   * @param given where it is said to be; null = on this path
   * @param project where it comes from
   * @throws MissingToolException where it is not there
   */
  public Path program(List<String> names, @Nullable Path given, String project) throws MissingToolException {
    if (given == null) {
      return find(names)
          .orElseThrow(() -> new MissingToolException(names.getFirst(), "it is not on PATH" + others(names), project));
    }
    if (!isProgram(given)) {
      throw new MissingToolException(names.getFirst(), given + " is not a program", project);
    }
    return given.toAbsolutePath();
  }

  private static String others(List<String> names) {
    return names.stream().skip(1).map(name -> ", nor is " + name).collect(Collectors.joining());
  }

  /** Whether a file can be started. */
  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
