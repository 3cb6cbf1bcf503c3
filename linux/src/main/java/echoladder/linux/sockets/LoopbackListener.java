package echoladder.linux.sockets;

import echoladder.linux.Errno;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A listener of this process on every address, tied to the loopback device: every address of 127.0.0.0/8 reaches it, and
 * nothing that arrives from another host (docs/decisions/loopback-listener.md).
 */
public final class LoopbackListener {
  private static final String DEVICE = "lo";

  private LoopbackListener() {}

  /**
   * Ties it. Needs no privilege (Linux 5.7 or newer), and no socket of its own: the listener may be any library's.
   *
   * @param port on which the process listens
   * @throws IOException where no socket of this process listens there, or the kernel refuses, with its errno
   */
  public static void tie(int port) throws IOException {
    SystemCalls calls = new SystemCalls();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        int fd = Integer.parseInt(descriptor.getFileName().toString());
        if (calls.option(fd, SystemCalls.SOL_SOCKET, SystemCalls.SO_ACCEPTCONN) == 1 && calls.localPort(fd) == port) {
          int result = calls.hearOnly(fd, DEVICE);
          if (result < 0) {
            throw new IOException("SO_BINDTODEVICE " + DEVICE + " failed: " + Errno.name(-result));
          }
          return;
        }
      }
    }
    throw new IOException("no socket of this process listens on port " + port);
  }
}
