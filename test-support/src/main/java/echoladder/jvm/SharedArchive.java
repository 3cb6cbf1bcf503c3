package echoladder.jvm;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An archive of the classes that a program has loaded (class data sharing). Later processes of that program map it instead of
 * parsing the classes again. A JVM with another class path starts without it.
 *
 * <p>One process of the program, the trainee, makes it at its end. It is deleted with this process.
 */
public final class SharedArchive {
  /** What the option begins with that names the archive. */
  public static final String OPTION = "-XX:SharedArchiveFile=";

  private static final long LONGEST_S = 120;

  private final File file;

  private SharedArchive(File file) {
    this.file = file;
  }

  /** What a trainee does before it ends by itself: it is to load the classes that matter. */
  public interface Training {
    /**
     * Returns when the trainee is about to end.
     *
     * @param trainee whose stderr goes nowhere
     */
    void go(Process trainee) throws IOException;
  }

  /**
   * Makes one, in the folder {@code target} of this module.
   *
   * @param name of the file, without its ending
   * @param command of the trainee, {@code java} first; its class path is to be that of the processes to come
   * @return null where none came of it, e.g. as a folder is on the class path
   */
  public static @Nullable SharedArchive make(String name, List<String> command, Training training) {
    File file = Path.of("target", name + "-" + ProcessHandle.current().pid() + ".jsa").toAbsolutePath().toFile();
    file.deleteOnExit();
    List<String> argv =
        Stream.of(List.of(command.getFirst(), "-XX:ArchiveClassesAtExit=" + file), command.subList(1, command.size()))
            .flatMap(List::stream)
            .toList();
    try {
      Files.createDirectories(file.toPath().getParent());
      Process trainee = new ProcessBuilder(argv).redirectError(Redirect.DISCARD).start();
      try {
        training.go(trainee);
        return trainee.waitFor(LONGEST_S, TimeUnit.SECONDS) && file.isFile() ? new SharedArchive(file) : null;
      } finally {
        trainee.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make an archive of the classes of " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Has a JVM use it.
   *
   * @param command java, options, {@code -cp} and what follows; the options are added in front of {@code -cp}
   */
  public void addTo(List<String> command) {
    command.addAll(command.indexOf("-cp"), options());
  }

  /**
   * The JVM's options. The JVM would say at each start that the modules are not those of its own archive, as
   * {@code --enable-native-access} is given; these keep it quiet.
   */
  public List<String> options() {
    return List.of(OPTION + file, "-Xlog:cds=off", "-Xlog:cds=off:stderr");
  }
}
