package echoladder.linux.output;

import echoladder.linux.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the beginning and the end of what a process prints, however much that is, and says what it left out. The
 * beginning goes to its place as it comes, so that it is there when this process is killed; the end follows at
 * {@link #close}. Any thread may call.
 */
public final class HeadAndTail implements ChildProcess.Drain, AutoCloseable {
  /** What is kept of a log: all that a server or client says in hours fits. */
  public static final int LOG_BYTES = 1 << 20;

  private final OutputStream place;
  private final int headMost;
  private final byte[] ring;
  private long total;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Keeps so much.
   *
   * @param place where it goes; closed with this
   * @param headMost bytes of the beginning
   * @param tailMost bytes of the end
   */
  public HeadAndTail(OutputStream place, int headMost, int tailMost) {
    this.place = place;
    this.headMost = headMost;
    this.ring = new byte[tailMost];
  }

  /** A log: {@link #LOG_BYTES} of its beginning, and as many of its end. */
  public static HeadAndTail log(OutputStream place) {
    return new HeadAndTail(place, LOG_BYTES, LOG_BYTES);
  }

  /**
   * A log that is appended to a file, where a terminal would obey nothing that is in it.
   *
   * @throws IOException where the file cannot be written
   */
  public static HeadAndTail appendedTo(Path file) throws IOException {
    return log(TerminalStream.ofOthers(Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)));
  }

  /** Reads a stream to its end, and closes this. */
  @Override
  public void drain(InputStream from) throws IOException {
    try (this) {
      byte[] part = new byte[8 << 10];
      int n;
      while ((n = from.read(part)) >= 0) {
        write(part, n);
      }
    }
  }

  /** Takes the first {@code n} bytes of that. */
  public synchronized void write(byte[] part, int n) {
    if (closed) {
      return;
    }
    int head = Math.clamp(headMost - total, 0, n);
    put(part, 0, head);
    for (int i = 0; i < n; i++) {
      ring[(int) ((total + i) % ring.length)] = part[i];
    }
    total += n;
  }

  /** The last bytes so far as text, at most as many as are kept of the end. */
  public synchronized String tail() {
    byte[] last = last(Math.min(total, ring.length));
    return new String(last, StandardCharsets.UTF_8);
  }

  /** What could not be written to its place; null where all could. */
  public synchronized @Nullable IOException failure() {
    return failure;
  }

  private byte[] last(long count) {
    byte[] last = new byte[(int) count];
    for (int i = 0; i < last.length; i++) {
      last[i] = ring[(int) ((total - last.length + i) % ring.length)];
    }
    return last;
  }

  private void put(byte[] part, int from, int length) {
    if (failure != null || length == 0) {
      return;
    }
    try {
      place.write(part, from, length);
    } catch (IOException e) {
      // Whoever prints is not held up by a full disk; what reads this log asks for the failure.
      failure = e;
    }
  }

  /** Writes the end, and before it how much is missing between. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    long behind = Math.max(0, total - headMost);
    if (behind > ring.length) {
      byte[] said =
          String.format(
                  Locale.ROOT,
                  "%n[%,d bytes are left out here: of what a process prints, the first %,d bytes and the last %,d are kept]%n",
                  behind - ring.length, headMost, ring.length)
              .getBytes(StandardCharsets.UTF_8);
      put(said, 0, said.length);
    }
    byte[] last = last(Math.min(behind, ring.length));
    put(last, 0, last.length);
    try {
      place.close();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
  }
}
