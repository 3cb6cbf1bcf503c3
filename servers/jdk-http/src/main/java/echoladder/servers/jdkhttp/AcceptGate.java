package echoladder.servers.jdkhttp;

import echoladder.servers.kit.AcceptErrors;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;

/**
 * Takes the listener out of HttpServer's selector while no descriptor is left, so that it never comes to a failing
 * accept: its loop does not pause after one. Looks after each accept, and every {@link AcceptErrors#PAUSE} for
 * descriptors that something else took or gave back. Thread-safe.
 */
final class AcceptGate {
  private final AcceptErrors acceptErrors;
  private final SelectionKey listenerKey;
  private boolean closedForGood;

  AcceptGate(AcceptErrors acceptErrors, SelectionKey listenerKey) {
    this.acceptErrors = acceptErrors;
    this.listenerKey = listenerKey;
  }

  /** Opens or shuts it, by whether the next accept would get a descriptor. */
  synchronized void look() {
    if (closedForGood) {
      return;
    }
    boolean open = acceptErrors.mayAccept() && oneMoreIsFree();
    int wanted = open ? SelectionKey.OP_ACCEPT : 0;
    try {
      if (listenerKey.interestOps() != wanted) {
        listenerKey.interestOps(wanted);
        listenerKey.selector().wakeup();
      }
    } catch (CancelledKeyException e) {
      closedForGood = true;
    }
  }

  /** The reserve may be full and the accept still fail; a descriptor opened and closed tells, in a few µs. */
  private boolean oneMoreIsFree() {
    try (FileInputStream one = new FileInputStream("/dev/null")) {
      return one.getFD().valid();
    } catch (IOException e) {
      acceptErrors.failed(e);
      return false;
    }
  }

  /** Closes the listener; connections that are open stay. */
  synchronized void closeForGood() throws IOException {
    closedForGood = true;
    listenerKey.cancel();
    listenerKey.channel().close();
    listenerKey.selector().wakeup();
  }

  /** Looks again and again, until the thread is interrupted or the gate is closed for good. */
  void watch() {
    try {
      while (true) {
        Thread.sleep(AcceptErrors.PAUSE);
        synchronized (this) {
          if (closedForGood) {
            return;
          }
          look();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
