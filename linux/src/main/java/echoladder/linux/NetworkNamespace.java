package echoladder.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which network namespace a process is in. */
public final class NetworkNamespace {
  /** The environment variable that names the namespace that was made for one run, as /proc/self/ns/net has it. */
  public static final String OF_RUN = "ECHO_LADDER_NETWORK_OF_RUN";

  /** Kernels since 5.14. */
  private static final int SO_NETNS_COOKIE = 71;

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
}
