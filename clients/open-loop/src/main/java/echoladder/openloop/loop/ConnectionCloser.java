package echoladder.openloop.loop;

import static echoladder.openloop.loop.Connections.DEAD;
import static echoladder.openloop.loop.Connections.OPEN;
import static echoladder.openloop.loop.Messages.NONE;

import echoladder.linux.Errno;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.schedule.Pacer;

/** How connections of an event loop end before the load does: closed, counted by cause, their messages accounted for. */
final class ConnectionCloser {
  private final Wire wire;
  private final Connections conns;
  private final Messages messages;
  private final Ramp ramp;
  private final Pacer pacer;
  private final MessageStats stats;
  private final Counters counters;
  private final Failures failures;
  private final Reconnector reconnector;

  ConnectionCloser(LoopConnections connections, LoopSchedule schedule, LoopResults results) {
    this.wire = connections.wire();
    this.conns = connections.conns();
    this.messages = connections.messages();
    this.ramp = schedule.ramp();
    this.pacer = schedule.pacer();
    this.reconnector = schedule.reconnector();
    this.counters = results.counters();
    this.failures = results.failures();
    this.stats = results.stats();
  }

  /** No verified echo came within the connect timeout, for that cause of {@link echoladder.openloop.result.FirstEcho}. */
  void timedOut(int c, String cause) {
    abandon(c, false);
    if (reconnector.takes(c)) {
      reconnector.ended(c, false, cause, -Errno.ETIMEDOUT);
      return;
    }
    counters.add(Counters.Of.TIMED_OUT, 1);
    failures.count(cause);
  }

  /** The connects that a ramp gives up. */
  void notBegun(int connections) {
    counters.add(Counters.Of.NOT_OPENED, connections);
    failures.add(ramp.givenUp(), connections);
  }

  /** It was never opened, as that call said. */
  void notOpened(int c, String call, int errno) {
    if (reconnector.takes(c)) {
      reconnector.ended(c, false, call + " " + Errno.name(errno), errno);
      return;
    }
    counters.add(errno == -Errno.ECONNREFUSED ? Counters.Of.REFUSED : Counters.Of.NOT_OPENED, 1);
    ramp.failed();
    failures.count(call, errno);
  }

  /** The peer ended it: {@code errno} 0 by FIN, else by what the call said. */
  void byPeer(int c, String call, int errno) {
    boolean open = conns.state[c] == OPEN;
    abandon(c, open);
    if (reconnector.takes(c)) {
      reconnector.ended(c, open, errno == 0 ? "closed by the server" : call + " " + Errno.name(errno), errno);
      return;
    }
    if (errno == 0) {
      failures.count("closed by the server" + (open ? "" : " before the first echo"));
    } else {
      failures.count(call, errno);
    }
    if (open) {
      counters.add(errno == 0 ? Counters.Of.LOST : Counters.Of.RESET, 1);
    } else if (errno == -Errno.ECONNREFUSED) {
      counters.add(Counters.Of.REFUSED, 1);
      ramp.failed();
    } else {
      counters.add(Counters.Of.NOT_OPENED, 1);
    }
  }

  /** Gives up a connection that is of no more use, as its stream cannot be trusted or its first echo was none. */
  void drop(int c, String cause) {
    giveUp(c, Counters.Of.DROPPED, cause, -Errno.EINVAL);
  }

  /** Gives up a connection on which what is under the protocol has failed, for that cause. */
  void failed(int c, String cause) {
    boolean open = conns.state[c] == OPEN;
    if (!reconnector.takes(c)) {
      failures.count(cause);
      if (!open) {
        ramp.failed();
      }
    }
    giveUp(c, Counters.Of.LOST, cause, 0);
  }

  /** Gives up a connection that the server ended or refused by its protocol, which is counted with its cause already. */
  void asSaid(int c) {
    giveUp(c, Counters.Of.LOST, "ended or refused by the server's protocol", 0);
  }

  private void giveUp(int c, Counters.Of ofOpen, String cause, int errno) {
    boolean open = conns.state[c] == OPEN;
    abandon(c, open);
    if (reconnector.takes(c)) {
      reconnector.ended(c, open, cause, errno);
      return;
    }
    counters.add(open ? ofOpen : Counters.Of.NOT_OPENED, 1);
  }

  /** Closes it and fails its messages; counts nothing else. */
  void abandon(int c, boolean wasOpen) {
    wire.close(c);
    if (!wasOpen) {
      ramp.ended();
    }
    conns.state[c] = DEAD;
    pacer.lost(c);
    while (conns.first[c] != NONE) {
      int m = conns.removeFirst(c, messages);
      if (wasOpen) {
        stats.failed(c, messages.intendedNs[m]);
      }
      messages.release(m);
    }
  }

  /** Closes what is still open, at the end of the load. */
  void all() {
    for (int c = 0; c < conns.fd.length; c++) {
      if (conns.alive(c)) {
        wire.close(c);
        conns.state[c] = DEAD;
      }
    }
  }
}
