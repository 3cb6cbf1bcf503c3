package echoladder.external;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

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

  /** Whether a file can be started. */
  public static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
