package echoladder.harness.results;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The interval logs of a published run, which has all of them in one file ({@link PublishedRecord#TIMES}). A reader asks for one log after
 * the other, so the file that was unpacked last is kept while there is memory for it.
 */
final class AllLogs {
  private static final String TAG = "Tag=";
  private static final char END = ':';

  private static @Nullable SoftReference<AllLogs> last;

  private final Version version;
  private final ByteArrayOutputStream common = new ByteArrayOutputStream();
  private final Map<String, ByteArrayOutputStream> own = new HashMap<>();

  /** Which content of which file it is. */
  private record Version(Path file, @Nullable Object key, Object modified, long bytes) {
    static Version of(Path file) throws IOException {
      BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new Version(file.toAbsolutePath(), is.fileKey(), is.lastModifiedTime(), is.size());
    }
  }

  private AllLogs(Version version, String text) {
    this.version = version;
    text.lines().forEach(this::add);
  }

  /** Those of a folder. */
  static synchronized AllLogs of(PlainFiles files) throws IOException {
    Version now = Version.of(files.path(PublishedRecord.TIMES));
    SoftReference<AllLogs> kept = last;
    AllLogs known = kept == null ? null : kept.get();
    if (known != null && known.version.equals(now)) {
      return known;
    }
    AllLogs read = new AllLogs(now, PublishedRecord.unpackedText(files, PublishedRecord.TIMES));
    last = new SoftReference<>(read);
    return read;
  }

  /** A line without a tag belongs to every log, one with a tag to the log that it names, and there without that name. */
  private void add(String line) {
    int end = line.startsWith(TAG) ? line.indexOf(END) + 1 : 0;
    if (end > 0) {
      write(own.computeIfAbsent(line.substring(TAG.length(), end), _ -> new ByteArrayOutputStream()), TAG + line.substring(end));
    } else if (!line.startsWith(TAG)) {
      write(common, line);
    }
  }

  private static void write(ByteArrayOutputStream to, String line) {
    to.writeBytes((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * The lines of one log, without what tells them from those of others.
   *
   * @throws NoSuchFileException where it is not among them
   */
  byte[] lines(String name) throws NoSuchFileException {
    ByteArrayOutputStream of = own.get(IntervalLines.tagged(name));
    if (of == null) {
      throw new NoSuchFileException(name);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(common.size() + of.size());
    all.writeBytes(common.toByteArray());
    all.writeBytes(of.toByteArray());
    return all.toByteArray();
  }
}
