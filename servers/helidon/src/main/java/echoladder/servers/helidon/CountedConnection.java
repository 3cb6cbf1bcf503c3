package echoladder.servers.helidon;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoMetrics;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Helidon's that is counted, and that is idle only where it should end: while a request's head or body is
 * arriving. Helidon would close one that waits for its next request as well. One virtual thread runs it.
 */
final class CountedConnection implements ServerConnection {
  private static final ScopedValue<CountedConnection> CURRENT = ScopedValue.newInstance();

  private final ServerConnection connection;
  private final @Nullable Peer peer;
  private final EchoMetrics metrics;
  private final AcceptErrors errors;
  private final AtomicBoolean stopping;
  /** Its beginning, by {@link System#nanoTime}, while the time until its first request is bounded; 0 = not bounded. */
  private volatile long beganNs;

  private volatile boolean answering;
  private boolean whole;
  private volatile Runnable afterwards = () -> {};

  CountedConnection(
      ServerConnection connection, @Nullable Peer peer, EchoMetrics metrics, AcceptErrors errors, AtomicBoolean stopping) {
    this.connection = connection;
    this.peer = peer;
    this.metrics = metrics;
    this.errors = errors;
    this.stopping = stopping;
  }

  /** Whose thread this is. */
  static CountedConnection current() {
    return CURRENT.get();
  }

  /** Its other end, where the server lists its connections: it pushes or speaks TLS. */
  Peer peer() {
    return Objects.requireNonNull(peer, "the server neither pushes nor speaks TLS");
  }

  /** Once it is to be closed: whether the client has ended its side, or both have agreed, so that what is owed may still be sent. */
  boolean whole() {
    return whole;
  }

  /** Bounds the time until its first request, and so its handshake, which Helidon takes for the unbounded wait for a request. */
  void boundHandshake() {
    beganNs = System.nanoTime() | 1;
  }

  /** Its first request has come; from then on it may be idle for ever. */
  void asked() {
    if (beganNs != 0) {
      beganNs = 0;
    }
  }

  /** Whether a handler has a request of its in hand that is whole, and may take long. */
  void answering(boolean now) {
    answering = now;
  }

  /** What is to be done once it is closed. */
  void whenClosed(Runnable task) {
    afterwards = task;
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    metrics.connectionAccepted();
    try {
      ScopedValue.where(CURRENT, this)
          .call(
              () -> {
                connection.handle(limit);
                return null;
              });
      whole = true;
    } catch (CloseConnectionException e) {
      // Helidon throws it behind a FIN too.
      whole = e.getCause() instanceof DataReader.InsufficientDataAvailableException;
      throw e;
    } catch (OutOfMemoryError e) {
      // Of direct memory, or of threads: its connection ends, and nobody else hears of it.
      errors.failed(e);
      throw e;
    } finally {
      try {
        afterwards.run();
      } finally {
        if (peer != null) {
          peer.ended();
        }
        metrics.connectionClosed();
      }
    }
  }

  @Override
  public Duration idleTime() {
    long began = beganNs;
    if (began != 0) {
      return Duration.ofNanos(System.nanoTime() - began);
    }
    // It can be interrupted while it waits for a request, and once it speaks WebSocket.
    boolean waits = connection instanceof InterruptableTask<?> task && task.canInterrupt();
    return answering || waits ? Duration.ZERO : connection.idleTime();
  }

  @Override
  public void close(boolean interrupt) {
    // Helidon would end a connection that has a request waiting in its socket; HelidonServer ends it once nothing is in flight.
    // Where it is idle by idleTime, a request is arriving too slowly: then it takes an interrupt to end it.
    if (interrupt || !stopping.get()) {
      connection.close(true);
    }
  }
}
