package echoladder.harness.results;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * The files of one folder that may be somebody else's: regular files alone, under plain names, read up to a size. A link is
 * never followed, a pipe or a device never opened. What is written is whole or was not written: a file takes its place by
 * renaming, after it has reached the disk.
 */
public record PlainFiles(Path dir) {
  /** Bound on the files of a folder: a run of a thousand rungs has three each. */
  private static final int MOST_ENTRIES = 100_000;

  private static final Pattern PLAIN = Pattern.compile("\\.?[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}");
  private static final Pattern HALF = Pattern.compile("\\..+\\.next");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ATTEMPTS = 10;

  /**
   * Looks at every entry of the folder, of none at what is in it.
   *
   * @throws Refusal (bad usage) where one is neither a regular file nor a folder, or there are too many
   */
  public PlainFiles examined() {
    int entries = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(dir)) {
      for (Path entry : all) {
        String kind = kind(entry);
        if (!kind.isEmpty()) {
          throw Refusal.badUsage(
              ("%s is not opened: %s is %s, which no run writes; whoever made the folder could lead reading or writing elsewhere by it."
                  + " Look at it with 'ls -la', and remove it if the rest is to be trusted")
                  .formatted(dir, entry.getFileName(), kind));
        }
        if (++entries > MOST_ENTRIES) {
          throw Refusal.badUsage("%s is not opened: it has more than %,d entries, as no run has".formatted(dir, MOST_ENTRIES));
        }
      }
    } catch (IOException e) {
      throw Refusal.badUsage(dir + " cannot be listed: " + ErrorText.of(e));
    }
    return this;
  }

  /** What an entry is that is neither a file nor a folder; empty where it is one of them, or has just gone. */
  private static String kind(Path entry) throws IOException {
    BasicFileAttributes is;
    try {
      is = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return "";
    }
    if (is.isSymbolicLink()) {
      return "a link to " + Files.readSymbolicLink(entry);
    }
    return is.isOther() ? "a pipe, a socket or a device" : "";
  }

  /**
   * The path of a file in it, which need not be there.
   *
   * @throws IllegalArgumentException where the name is more than a name: it leads elsewhere, or is hidden text
   */
  public Path path(String name) {
    if (!PLAIN.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no name of a file in a run's folder");
    }
    return dir.resolve(name);
  }

  /** Whether there is a regular file of that name. */
  public boolean has(String name) {
    return Files.isRegularFile(path(name), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * A file to read from its beginning; whoever opens it closes it.
   *
   * @param mostBytes beyond which reading ends with an {@link IOException}
   * @throws NoSuchFileException where there is none
   * @throws IOException where it is no regular file, or larger
   */
  public InputStream open(String name, long mostBytes) throws IOException {
    Path file = path(name);
    BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!is.isRegularFile()) {
      throw new IOException(name + " is no regular file");
    }
    if (is.size() > mostBytes) {
      throw tooLarge(name, mostBytes);
    }
    InputStream in = Channels.newInputStream(FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    return new Bounded(in, name, mostBytes);
  }

  /** The text of a file, in UTF-8; errors as with {@link #open}. */
  public String text(String name, long mostBytes) throws IOException {
    try (InputStream in = open(name, mostBytes)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static IOException tooLarge(String name, long mostBytes) {
    return new IOException("%s is larger than %,d bytes, as no run's is".formatted(name, mostBytes));
  }

  /** Replaces a file by a text; where it is a link, the link is replaced and nothing that it leads to. */
  public void replace(String name, String text) throws IOException {
    replace(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Replaces a file by bytes; where it is a link, the link is replaced and nothing that it leads to. */
  public void replace(String name, byte[] content) throws IOException {
    Path target = path(name);
    Path next = null;
    try {
      for (int i = 0; next == null; i++) {
        // Nobody who made the folder can have put anything in the way of a name that is drawn now.
        Path drawn = dir.resolve(".%s.%016x.next".formatted(name, RANDOM.nextLong()));
        try (FileChannel channel =
            FileChannel.open(
                drawn, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
          next = drawn;
          ByteBuffer bytes = ByteBuffer.wrap(content);
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        } catch (FileAlreadyExistsException e) {
          if (i == ATTEMPTS) {
            throw e;
          }
        }
      }
      Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // On a full disk a half would take the room that others need.
      if (next != null) {
        Files.deleteIfExists(next);
      }
      throw e;
    }
    // Renaming is safe once the folder itself is on the disk.
    settle(dir);
  }

  /** Whether that is the name of a file that was to replace another and never did. */
  static boolean isHalf(String name) {
    return HALF.matcher(name).matches();
  }

  /** Removes what was to replace a file and never did. */
  public void removeHalves() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(dir)) {
      for (Path entry : all) {
        if (isHalf(entry.getFileName().toString())) {
          Files.delete(entry);
        }
      }
    }
  }

  /** Returns when what was written of a file, or of the entries of a folder, is on the disk. */
  static void settle(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Ends with an error where the file grew beyond its bound while it was read. */
  private static final class Bounded extends FilterInputStream {
    private final String name;
    private final long mostBytes;
    private long left;

    Bounded(InputStream in, String name, long mostBytes) {
      super(in);
      this.name = name;
      this.mostBytes = mostBytes;
      this.left = mostBytes;
    }

    @Override
    public int read() throws IOException {
      int one = in.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int read = in.read(into, from, length);
      count(Math.max(0, read));
      return read;
    }

    private void count(int read) throws IOException {
      left -= read;
      if (left < 0) {
        throw tooLarge(name, mostBytes);
      }
    }
  }
}
