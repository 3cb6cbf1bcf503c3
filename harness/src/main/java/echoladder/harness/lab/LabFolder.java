package echoladder.harness.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder over which a host and its guest talk: the guest sees it under the same path and writes through to it. It
 * is readable for its owner alone, as the environment is in it.
 */
record LabFolder(Path dir) {
  /** What the command may have written before the harness took it: far more is a program that has gone wild. */
  private static final long MOST_OUTPUT_BYTES = 4L << 30;

  private static final int CHUNK_BYTES = 64 << 10;

  /** A new one below the folder of temporary files, with the scripts in it. */
  static LabFolder create() throws IOException {
    // The watchdog removes nothing of another name.
    LabFolder folder =
        new LabFolder(
            Files.createTempDirectory(
                    "ladder-lab-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                // The guest is told of it as a mount point, which no link is.
                .toRealPath());
    for (String script : List.of("init.sh", "watchdog.sh", "confine.sh")) {
      try (InputStream in = LabFolder.class.getResourceAsStream(script)) {
        Files.copy(Objects.requireNonNull(in, script), folder.file(script));
      }
      Files.setPosixFilePermissions(folder.file(script), PosixFilePermissions.fromString("rwx------"));
    }
    return folder;
  }

  /** Removes it with all that is in it, as far as it can be; what is mounted or open below it is not its own. */
  void delete() {
    try (Stream<Path> all = Files.walk(dir)) {
      all.sorted(Comparator.reverseOrder()).forEach(LabFolder::remove);
    } catch (IOException | UncheckedIOException e) {
      // It is gone already, or going: the watchdog may have come so far.
    }
  }

  /** Removes what the watchdog would have removed, where it was killed: the folder of the memory, which is empty, and this one. */
  void deleteAfterKilled() {
    try {
      for (String memory : lines("memory")) {
        // The guest may write here, so that what stands there is looked at.
        Path named = Path.of(memory);
        if (String.valueOf(named.getFileName()).startsWith("ladder-lab-memory-")) {
          Files.deleteIfExists(named);
        }
      }
    } catch (IOException | InvalidPathException e) {
      // It holds something, or was never made.
    }
    delete();
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file(String name) {
    return dir.resolve(name);
  }

  void write(String name, String text) throws IOException {
    // By renaming, as the guest may look at any time.
    Path next = file("." + name + ".next");
    Files.writeString(next, text);
    Files.move(next, file(name));
  }

  /**
   * What the guest may write of this host.
   *
   * @param confined whether all else is read-only to the guest's kernel itself
   */
  void writeView(LabSettings settings, boolean confined) throws IOException {
    if (settings.scratch()) {
      for (String point : List.of("scratch", "root", "old")) {
        Files.createDirectory(file(point));
      }
      String folders = settings.writable().stream().map(folder -> folder + "\n").collect(Collectors.joining());
      write("writable", folders + dir + "\n");
    }
    if (confined) {
      write("confined", "");
    }
  }

  /** The command and the environment as a shell reads them. */
  void writeCommand(List<String> command, Path directory, Map<String, String> environment) throws IOException {
    String exports =
        environment.entrySet().stream()
            // A shell's exported functions have names that no variable may have.
            .filter(entry -> entry.getKey().matches("[A-Za-z_][A-Za-z0-9_]*"))
            .map(entry -> "export " + entry.getKey() + "=" + quoted(entry.getValue()) + "\n")
            .collect(Collectors.joining());
    write("environment", exports);
    String words = command.stream().map(LabFolder::quoted).collect(Collectors.joining(" "));
    write("command", "cd -- " + quoted(directory.toString()) + " || exit 126\nexec -- " + words + "\n");
  }

  /** As one word of a shell, whatever is in it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** The whole lines of a file that another process appends to; none where it is not there yet. */
  List<String> lines(String name) throws IOException {
    try {
      String text = Files.readString(file(name), StandardCharsets.UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /**
   * Copies a growing file from a place on.
   *
   * @return the place up to which it is copied now
   */
  long copy(String name, long from, PrintStream to) throws IOException {
    long at = from;
    try (FileChannel channel = FileChannel.open(file(name), StandardOpenOption.READ)) {
      if (channel.size() > MOST_OUTPUT_BYTES) {
        throw new IOException("the command wrote more than 4 GiB to its " + name);
      }
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
      int n;
      while ((n = channel.read(chunk.clear(), at)) > 0) {
        to.write(chunk.array(), 0, n);
        at += n;
      }
    } catch (NoSuchFileException e) {
      return from;
    }
    if (at > from) {
      to.flush();
    }
    return at;
  }
}
