package echoladder.servers.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are open, linked through themselves: two references each, whatever their number. Thread-safe.
 */
final class OpenConnections {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Connection first;
  private long count;

  void add(Connection connection) {
    lock.lock();
    try {
      Connection old = first;
      connection.next = old;
      if (old != null) {
        old.previous = connection;
      }
      first = connection;
      count++;
    } finally {
      lock.unlock();
    }
  }

  /** Once for each connection added. */
  void remove(Connection connection) {
    lock.lock();
    try {
      Connection before = connection.previous;
      Connection after = connection.next;
      if (before == null) {
        first = after;
      } else {
        before.next = after;
      }
      if (after != null) {
        after.previous = before;
      }
      count--;
      if (count == 0) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  List<Connection> snapshot() {
    lock.lock();
    try {
      List<Connection> all = new ArrayList<>((int) count);
      for (Connection c = first; c != null; c = c.next) {
        all.add(c);
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until none is open or {@code endNs} of {@link System#nanoTime} has come; gives how many are. */
  long awaitNone(long endNs) throws InterruptedException {
    lock.lock();
    try {
      long leftNs = endNs - System.nanoTime();
      while (count > 0 && leftNs > 0) {
        leftNs = changed.awaitNanos(leftNs);
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** A connection that can be linked. */
  abstract static class Connection implements Runnable {
    private @Nullable Connection previous;
    private @Nullable Connection next;

    /** Whether nothing waits to be read. A closed one has nothing. */
    abstract boolean nothingToRead();

    /** Lets its loop end once it has written what it read. */
    abstract void finish();
  }
}
