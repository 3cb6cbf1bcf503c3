package echoladder.servers.kit;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;

/** A server that accepts connections from the moment it exists. */
public interface EchoServer {
  /** The echo port it listens on. */
  int port();

  /** What really runs, beyond the options in force, for the ready line: e.g. the transport that was opened. */
  Map<String, Object> running();

  /**
   * Stops accepting, lets what was received be echoed, closes. Called once.
   *
   * @param limit how long to wait
   * @return connections that were still open at the limit; they end with the process
   */
  long drain(Duration limit) throws InterruptedException;

  /** Bytes of buffers outside the heap. */
  default long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
