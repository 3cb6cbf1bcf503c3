package echoladder.servers.helidon;

import echoladder.linux.process.DescriptorLimit;
import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.options.CannotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How many connections there are descriptors for. Helidon's listener ends for good with its first accept that fails, so the
 * server lets it have no more connections than that (max-tcp-connections), and it waits by itself for one that ends.
 */
final class Descriptors {
  /**
   * For the reserve, by which the metrics page lives, for what is opened late, such as its listener and epoll, and for connections that
   * are being closed: on a busy host many at once.
   */
  private static final int OTHERS = 60;

  private Descriptors() {}

  /** The limit of this process less what it has open and what else it may need. */
  static int forConnections() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      long left = DescriptorLimit.own().soft() - open.count() - OTHERS;
      if (left < 1) {
        throw new CannotRun(
            "could not start: there is no descriptor left for a connection; the limit is this process's RLIMIT_NOFILE, which is "
                + DescriptorLimit.own().soft() + " (ulimit -n): raise it before the start");
      }
      return (int) Math.min(Integer.MAX_VALUE, left);
    } catch (IOException e) {
      throw new CannotRun("could not count the open descriptors in /proc/self/fd: " + e.getMessage(), e);
    }
  }

  /** Counts and says, for as long as the process lives, that nobody can be accepted while all of them are taken. */
  static void watch(int most, EchoMetrics metrics, AcceptErrors errors) {
    try {
      while (true) {
        Thread.sleep(AcceptErrors.PAUSE);
        if (metrics.open() >= most) {
          errors.failed("emfile", "no descriptor is left for another connection");
        } else {
          errors.mayAccept();
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it but the end of the process.
      Thread.currentThread().interrupt();
    }
  }
}
