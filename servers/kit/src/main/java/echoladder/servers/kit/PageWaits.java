package echoladder.servers.kit;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How long the metrics page has waited for each of its clients. A wait beyond its bound ends the connection. While
 * every place is taken, the longest wait of all ends its connection: the next client gets the place. Thread-safe.
 */
final class PageWaits {
  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

  private final int places;
  private final long leastNs;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Place> taken = new HashSet<>();

  /**
   * Waits of one page.
   *
   * @param places connections that are served at a time
   * @param least how long a client may keep the page waiting even while others want its place
   */
  PageWaits(int places, Duration least) {
    this.places = places;
    this.leastNs = least.toNanos();
  }

  /** One connection's. */
  final class Place implements AutoCloseable {
    private final Closeable connection;
    private long sinceNs;
    private long boundNs;
    private boolean waits;

    private Place(Closeable connection) {
      this.connection = connection;
    }

    /** The page now waits for the client. */
    void waits(Duration bound) {
      lock.lock();
      try {
        sinceNs = System.nanoTime();
        boundNs = bound.toNanos();
        waits = true;
      } finally {
        lock.unlock();
      }
    }

    /** The client now waits for the page. */
    void works() {
      lock.lock();
      try {
        waits = false;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        taken.remove(this);
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    /** At most 0 where it does not wait. */
    private long waitedNs(long nowNs) {
      return waits ? nowNs - sinceNs : 0;
    }
  }

  /** A connection takes a place and waits for its client; the place is to be closed. */
  Place take(Closeable connection, Duration bound) {
    Place place = new Place(connection);
    place.waits(bound);
    lock.lock();
    try {
      taken.add(place);
      changed.signal();
    } finally {
      lock.unlock();
    }
    return place;
  }

  /** Ends connections for ever, or until the thread is interrupted. */
  void watch() {
    lock.lock();
    try {
      while (true) {
        if (taken.isEmpty()) {
          changed.await();
        } else {
          long nextNs = endSome(System.nanoTime());
          changed.awaitNanos(nextNs);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Gives after how many ns to look again. */
  private long endSome(long nowNs) {
    for (Place place : Set.copyOf(taken)) {
      if (place.waitedNs(nowNs) > place.boundNs) {
        end(place);
      }
    }
    if (taken.size() < places) {
      return LOOK_NS;
    }
    Place longest = longest(nowNs);
    if (longest == null) {
      return leastNs;
    }
    long leftNs = leastNs - longest.waitedNs(nowNs);
    if (leftNs > 0) {
      return leftNs;
    }
    end(longest);
    return LOOK_NS;
  }

  private @Nullable Place longest(long nowNs) {
    Place longest = null;
    for (Place place : taken) {
      if (place.waits && (longest == null || place.waitedNs(nowNs) > longest.waitedNs(nowNs))) {
        longest = place;
      }
    }
    return longest;
  }

  private void end(Place place) {
    taken.remove(place);
    try {
      place.connection.close();
    } catch (IOException e) {
      // It was being closed at the same time, which is as good.
    }
  }
}
