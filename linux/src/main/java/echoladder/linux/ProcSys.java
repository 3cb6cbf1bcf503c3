package echoladder.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Kernel settings under /proc/sys. */
public final class ProcSys {
  private ProcSys() {}

  /**
   * The value of a setting, trimmed.
   *
   * <p>Read with one read(2): the kernel gives a numeric setting only to a read at offset 0, so Files.readString,
   * which asks for one byte first where a file's size is 0, gets just the first digit.
   *
   * @param name with dots or slashes, e.g. {@code net.ipv4.ip_local_port_range}
   */
  public static String read(String name) throws IOException {
    byte[] text = new byte[4096];
    try (InputStream in = Files.newInputStream(Path.of("/proc/sys", name.replace('.', '/')))) {
      int n = in.read(text);
      return n <= 0 ? "" : new String(text, 0, n, StandardCharsets.US_ASCII).trim();
    }
  }
}
