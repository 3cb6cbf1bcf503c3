package echoladder.servers.contract;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import echoladder.linux.sockets.SystemCalls;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads an option of a socket that another process holds, through a copy of its descriptor (pidfd_getfd(2)): neither
 * ss(8) nor /proc tells whether TCP_NODELAY is on.
 */
public final class ForeignSocket {
  // The numbers are the same on every architecture.
  private static final long PIDFD_OPEN = 434;
  private static final long PIDFD_GETFD = 438;

  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.firstVariadicArg(1));

  private ForeignSocket() {}

  /**
   * TCP_NODELAY of the socket that process {@code pid} has between two ports of this host. The test is skipped where the kernel does
   * not let us look (before 5.6, or by seccomp or ptrace_scope).
   */
  public static int noDelay(long pid, int localPort, int remotePort) throws IOException {
    SystemCalls sys = new SystemCalls();
    long pidfd = call(PIDFD_OPEN, pid, 0, 0);
    if (pidfd < 0) {
      throw Lacks.found(Need.PIDFD_GETFD, "pidfd_open is refused");
    }
    try {
      long copy = call(PIDFD_GETFD, pidfd, descriptor(pid, TcpTable.inode(localPort, remotePort)), 0);
      if (copy < 0) {
        throw Lacks.found(Need.PIDFD_GETFD, "pidfd_getfd is refused");
      }
      int value = sys.option((int) copy, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY);
      sys.close((int) copy);
      return value;
    } finally {
      sys.close((int) pidfd);
    }
  }

  private static long call(long number, long a, long b, long c) {
    try {
      return (long) SYSCALL.invokeExact(number, a, b, c);
    } catch (Throwable e) {
      throw new AssertionError("syscall " + number, e);
    }
  }

  private static long descriptor(long pid, String inode) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path fd : all) {
        try {
          if (Files.readSymbolicLink(fd).toString().equals("socket:[" + inode + "]")) {
            return Long.parseLong(String.valueOf(fd.getFileName()));
          }
        } catch (NoSuchFileException e) {
          // Closed since the directory was read.
        }
      }
    }
    throw new IOException("process " + pid + " has no socket with inode " + inode);
  }
}
