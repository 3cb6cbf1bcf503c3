package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import echoladder.linux.Downcall;
import echoladder.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Which network namespace a process is in. */
public final class NetworkNamespace {
  /** The environment variable that names the namespace that was made for one run, as /proc/self/ns/net has it. */
  public static final String OF_RUN = "ECHO_LADDER_NETWORK_OF_RUN";

  /** Kernels since 5.14. */
  private static final int SO_NETNS_COOKIE = 71;

  private static final int O_CLOEXEC = 0x80000;
  private static final int CLONE_NEWNET = 0x40000000;
  private static final MethodHandle OPEN = Downcall.call(2, "open", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle UNSHARE = Downcall.call("unshare", JAVA_INT, JAVA_INT);
  private static final MethodHandle SETNS = Downcall.call("setns", JAVA_INT, JAVA_INT, JAVA_INT);

  private NetworkNamespace() {}

  /**
   * That of this process, as text that no other namespace has had or will have in this boot: its number, which a
   * namespace leaves to a later one, and its cookie, which is counted up from one to the next; {@code net:[4026531840]
   * cookie 1}. A kernel before 5.14 has no cookies, and then the number stands alone.
   *
   * @throws IOException where /proc does not show it
   */
  public static String own() throws IOException {
    String number = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
    SystemCalls calls = new SystemCalls();
    int socket = calls.tcpSocket();
    if (socket < 0) {
      throw new IOException("no socket could be made to ask for the namespace's cookie: " + Errno.name(-socket));
    }
    try {
      long cookie = calls.longOption(socket, SystemCalls.SOL_SOCKET, SO_NETNS_COOKIE);
      return cookie < 0 ? number : number + " cookie " + cookie;
    } finally {
      calls.close(socket);
    }
  }

  /** Whether this process is in one that was made for its run and that ends with the run's last process. */
  public static boolean ofRun() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString().equals(System.getenv(OF_RUN));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Does something in the network namespace of a process: what it reads of /proc/sys/net and asks of the kernel by sockets is of that
   * namespace. /proc/net and /proc/self/net are not. A thread of its own enters the namespace and ends afterwards: the threads of this
   * process stay in theirs.
   *
   * @throws IOException where this process may not enter it, which takes CAP_SYS_ADMIN, or the process is gone; then nothing was done
   */
  public static <T> T in(long pid, Supplier<T> what) throws IOException, InterruptedException {
    return in("/proc/" + pid + "/ns/net", what);
  }

  /** Does something in the network namespace of a file, as /proc/PID/ns/net is one, as above. */
  static <T> T in(String path, Supplier<T> what) throws IOException, InterruptedException {
    return aside(
        () -> {
          enter(path);
          return what.get();
        });
  }

  /** Does something on a thread that ends with it, as a thread that has changed its namespace stays there. */
  static <T> T aside(Callable<T> what) throws IOException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(what);
    Thread.ofPlatform().name("in-other-namespace").daemon().start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException refused) {
        throw refused;
      }
      throw new IllegalStateException("what was done in another network namespace failed", e.getCause());
    }
  }

  private static void enter(String path) throws IOException {
    int namespace = open(path);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment capture = arena.allocate(Downcall.CAPTURE);
      if (setns(capture, namespace) < 0) {
        throw new IOException("setns to " + path + ": " + Errno.name(Downcall.errno(capture)));
      }
    } finally {
      new SystemCalls().close(namespace);
    }
  }

  /**
   * Opens a namespace's file. The namespace stays as long as that is open.
   *
   * @return the descriptor, which programs that this process starts do not get
   */
  static int open(String path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment capture = arena.allocate(Downcall.CAPTURE);
      int opened = open(capture, arena.allocateFrom(path));
      if (opened < 0) {
        throw new IOException(path + " cannot be opened: " + Errno.name(Downcall.errno(capture)));
      }
      return opened;
    }
  }

  /** Gives the calling thread a new namespace, in which only a loopback that is down is. */
  static void leave() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment capture = arena.allocate(Downcall.CAPTURE);
      if (unshare(capture) < 0) {
        throw new IOException("no network namespace can be made: unshare: " + Errno.name(Downcall.errno(capture)));
      }
    }
  }

  private static int unshare(MemorySegment capture) {
    try {
      return (int) UNSHARE.invokeExact(capture, CLONE_NEWNET);
    } catch (Throwable t) {
      throw Downcall.impossible(t);
    }
  }

  private static int open(MemorySegment capture, MemorySegment path) {
    try {
      return (int) OPEN.invokeExact(capture, path, O_CLOEXEC);
    } catch (Throwable t) {
      throw Downcall.impossible(t);
    }
  }

  private static int setns(MemorySegment capture, int namespace) {
    try {
      return (int) SETNS.invokeExact(capture, namespace, CLONE_NEWNET);
    } catch (Throwable t) {
      throw Downcall.impossible(t);
    }
  }
}
