package echoladder.workloads;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of /proc, kept open, whose numbers are read without allocating: it is asked while no memory may be left. */
final class NumberFile implements AutoCloseable {
  static final long MISSING = -1;

  private final RandomAccessFile file;
  private final byte[] text = new byte[8 << 10];
  private int length;

  /** An {@link IOException} where there is no such file. */
  NumberFile(String path) throws IOException {
    file = new RandomAccessFile(path, "r");
  }

  /** Reads it anew. */
  NumberFile refresh() throws IOException {
    file.seek(0);
    length = Math.max(0, file.read(text));
    return this;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The number behind a key, as in {@code VmRSS:   123 kB}; {@link #MISSING} where it has no such key. */
  long after(byte[] key) {
    for (int at = 0; at + key.length <= length; at++) {
      if (startsAt(at, key)) {
        return numberFrom(at + key.length);
      }
    }
    return MISSING;
  }

  /** The number behind the first of a character, as in {@code 1/234}. */
  long after(char c) {
    for (int at = 0; at < length; at++) {
      if (text[at] == c) {
        return numberFrom(at + 1);
      }
    }
    return MISSING;
  }

  private boolean startsAt(int at, byte[] key) {
    if (at > 0 && text[at - 1] != '\n') {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (text[at + i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private long numberFrom(int start) {
    int at = start;
    while (at < length && (text[at] == ' ' || text[at] == '\t')) {
      at++;
    }
    long number = 0;
    int first = at;
    while (at < length && text[at] >= '0' && text[at] <= '9') {
      number = number * 10 + (text[at] - '0');
      at++;
    }
    return at == first ? MISSING : number;
  }

  static byte[] key(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The one number of a file; null where it has none ({@code max}) or is not there. */
  static @Nullable Long only(Path path) {
    // In one read: files of /proc/sys give what a read has room for and then nothing more, and Files.readString first
    // asks for a single byte where the size is 0.
    try (InputStream in = Files.newInputStream(path)) {
      byte[] text = new byte[64];
      int length = Math.max(0, in.read(text));
      return Long.valueOf(new String(text, 0, length, StandardCharsets.US_ASCII).trim());
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }
}
