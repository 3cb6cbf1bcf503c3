package echoladder.servers.jdkhttp;

import echoladder.servers.kit.EchoMetrics;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The set in which HttpServer keeps its open connections; what comes and goes is counted. Thread-safe. */
final class CountedConnections extends AbstractSet<Object> {
  private final Set<Object> open = ConcurrentHashMap.newKeySet();
  private final EchoMetrics metrics;
  private final Runnable accepted;

  /** {@code accepted} is run after each addition, on HttpServer's own thread. */
  CountedConnections(EchoMetrics metrics, Runnable accepted) {
    this.metrics = metrics;
    this.accepted = accepted;
  }

  @Override
  public boolean add(Object connection) {
    boolean added = open.add(connection);
    if (added) {
      metrics.connectionAccepted();
      accepted.run();
    }
    return added;
  }

  @Override
  public boolean remove(Object connection) {
    boolean removed = open.remove(connection);
    if (removed) {
      metrics.connectionClosed();
    }
    return removed;
  }

  @Override
  public void clear() {
    open.forEach(this::remove);
  }

  @Override
  public Iterator<Object> iterator() {
    return open.iterator();
  }

  @Override
  public int size() {
    return open.size();
  }
}
