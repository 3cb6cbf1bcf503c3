package echoladder.linux.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The way to stdout that remembers what went wrong there: a PrintStream swallows it. */
public final class StandardOutput extends FilterOutputStream {
  private static final Path OWN = Path.of("/proc/self/fd/1");

  private final Path place;
  private volatile @Nullable IOException failure;

  StandardOutput(OutputStream to, Path place) {
    super(to);
    this.place = place;
  }

  /** Has System.out go this way from now on. */
  public static StandardOutput install() {
    StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out), OWN);
    System.setOut(new PrintStream(new BufferedOutputStream(out), true, System.out.charset()));
    return out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /**
   * What went wrong, with where it was to be written; null where all was written so far, or the reader of a pipe has gone, which is
   * the reader's choice, as of head(1).
   */
  public @Nullable String complaint() {
    IOException first = failure;
    if (first == null) {
      return null;
    }
    String where;
    try {
      where = Files.readSymbolicLink(place).toString();
    } catch (IOException e) {
      // A closed one leads nowhere.
      where = "closed";
    }
    return where.startsWith("pipe:") || where.startsWith("socket:") ? null : where + ": " + first.getMessage();
  }
}
