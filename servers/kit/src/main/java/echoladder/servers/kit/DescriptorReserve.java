package echoladder.servers.kit;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Descriptors put by for the moment when there are none left: connections are accepted only while it is full, and the
 * metrics page, the one view of a server in that state, lives on what it releases. Thread-safe.
 */
public final class DescriptorReserve {
  /** Enough for the metrics page's few connections and a file or two beside them. */
  static final int SIZE = 8;

  private final Deque<FileInputStream> held = new ArrayDeque<>(SIZE);

  /**
   * Fills it; cheap where it is full.
   *
   * @throws IOException out of descriptors (or no /dev/null); what could be had was given back
   */
  public synchronized void fill() throws IOException {
    while (held.size() < SIZE) {
      try {
        held.push(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        release();
        throw e;
      }
    }
  }

  /** Gives all back. */
  public synchronized void release() {
    while (!held.isEmpty()) {
      try {
        held.pop().close();
      } catch (IOException e) {
        throw new AssertionError("close of /dev/null failed", e);
      }
    }
  }

  /** Whether a descriptor can be had outside the reserve. */
  synchronized boolean oneIsFree() {
    try (FileInputStream one = new FileInputStream("/dev/null")) {
      return one.getFD().valid();
    } catch (IOException e) {
      return false;
    }
  }
}
