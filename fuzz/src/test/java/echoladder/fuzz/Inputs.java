package echoladder.fuzz;

import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Where a fuzzer begins, and where targets that read files have them. */
public final class Inputs {
  /** The folder of the checkout. */
  public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Path MEMORY = Path.of("/dev/shm");

  private Inputs() {}

  /** An input as text. */
  public static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  /** One to begin with. */
  public static Arguments of(String name, byte[] input) {
    return arguments(named(name, input));
  }

  /** Texts to begin with. */
  public static Stream<Arguments> texts(String... texts) {
    return Stream.of(texts).map(text -> of(text.lines().findFirst().orElse("empty"), text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The files of the checkout that match, e.g. {@code sysctl} and {@code *.conf}. */
  public static Stream<Arguments> files(String folder, String glob) {
    return files(folder, glob, text -> text);
  }

  /** The files of the checkout that match, with their text changed. */
  public static Stream<Arguments> files(String folder, String glob, UnaryOperator<String> change) {
    return list(ROOT.resolve(folder), glob).stream().map(file -> of(file.getFileName().toString(), change.apply(read(file)).getBytes(StandardCharsets.UTF_8)));
  }

  /** The file of that name of each folder in a folder of the checkout that has one. */
  public static Stream<Arguments> inFolders(String folder, String name, UnaryOperator<String> change) {
    return list(ROOT.resolve(folder), "*").stream()
        .filter(dir -> Files.isRegularFile(dir.resolve(name)))
        .map(dir -> of(dir.getFileName().toString(), change.apply(read(dir.resolve(name))).getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Path> list(Path folder, String glob) {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(all::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    all.sort(Comparator.naturalOrder());
    return all;
  }

  /** The text of a file. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a file there. */
  public static Path write(Path file, byte[] bytes) {
    try {
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A folder that goes with this JVM; in memory where there is such a place, as a target may write a thousand files a second. */
  public static Path scratch() {
    try {
      Path folder = Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "echo-ladder-fuzz") : Files.createTempDirectory("echo-ladder-fuzz");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
