package echoladder.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Kernel settings under /proc/sys. */
public final class ProcSys {
  private static final int FIRST_BYTES = 4 << 10;
  private static final int MOST_BYTES = 1 << 20;

  /** What the kernel takes of a list in one write(2), less than the smallest page (proc_do_large_bitmap in kernel/sysctl.c). */
  private static final int PIECE_BYTES = (4 << 10) - 1;

  private ProcSys() {}

  /**
   * The value of a setting, trimmed.
   *
   * @param name with dots or slashes, e.g. {@code net.ipv4.ip_local_port_range}
   */
  public static String read(String name) throws IOException {
    return read(Path.of("/proc/sys", name.replace('.', '/')));
  }

  /**
   * All of a setting's file, trimmed.
   *
   * <p>Read with one read(2): the kernel gives numbers and lists only to a read at offset 0. Files.readString, which asks for one
   * byte first where a file's size is 0, gets just the first digit. A value that fills the buffer may go on, so it is read again
   * with a larger one: a list of reserved ports has up to 190 KB.
   *
   * @throws IOException also of a value over 1 MiB, which no setting has
   */
  public static String read(Path file) throws IOException {
    for (int size = FIRST_BYTES; size <= MOST_BYTES; size *= 4) {
      ByteBuffer text = ByteBuffer.allocate(size);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        int n = channel.read(text);
        if (n < size) {
          return n <= 0 ? "" : new String(text.array(), 0, n, StandardCharsets.US_ASCII).trim();
        }
      }
    }
    throw new IOException(file + " has a value over 1 MiB, which no kernel setting has");
  }

  /**
   * Sets a setting that exists.
   *
   * <p>Written with one write(2), as each is a setting of its own to the kernel; with the line's end, as the kernel takes an empty
   * one for no setting at all. Of a list of ports the kernel takes a page at a time, up to the last whole number in that page, and
   * adds what the next write(2) to the open file has.
   *
   * @throws IOException also where the kernel takes a part of it alone
   */
  public static void write(Path file, String value) throws IOException {
    ByteBuffer text = ByteBuffer.wrap((value + "\n").getBytes(StandardCharsets.US_ASCII));
    boolean inPieces = text.limit() > PIECE_BYTES;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      int n;
      do {
        n = channel.write(text);
      } while (inPieces && n > 0 && text.hasRemaining());
      if (text.hasRemaining()) {
        throw new IOException("only " + text.position() + " of " + text.limit() + " bytes of the value were taken");
      }
    }
  }
}
