package echoladder.openloop.loop;

import java.util.Arrays;

/**
 * What an event loop knows of its connections: flat arrays, one entry each, so that a million of them are a handful
 * of objects. Messages are numbers of {@link Messages}.
 */
final class Connections {
  /** Not begun yet. */
  static final byte NEW = 0;
  /** connect() is under way. */
  static final byte CONNECTING = 1;
  /** Connected; its first echo is awaited. */
  static final byte VERIFYING = 2;
  /** Has had a verified echo. */
  static final byte OPEN = 3;
  /** Failed or lost; its descriptor is closed. */
  static final byte DEAD = 4;

  final int[] fd;
  final byte[] state;
  /** The socket's send buffer is full; sending goes on when epoll reports room. */
  final boolean[] blocked;
  /** Oldest message not answered. */
  final int[] first;
  /** Oldest message not written completely. */
  final int[] unsent;
  /** Youngest message. */
  final int[] last;
  /** Messages written completely and not answered. */
  final byte[] inFlight;
  /** Number of the oldest message not answered, counted on this connection. */
  final int[] sequence;
  /** Bytes written of the message that is being written. */
  final int[] written;

  Connections(int n) {
    fd = new int[n];
    state = new byte[n];
    blocked = new boolean[n];
    first = none(n);
    unsent = none(n);
    last = none(n);
    inFlight = new byte[n];
    sequence = new int[n];
    written = new int[n];
  }

  private static int[] none(int n) {
    int[] array = new int[n];
    Arrays.fill(array, Messages.NONE);
    return array;
  }

  /** Whether the connection has or may get a descriptor and traffic. */
  boolean alive(int c) {
    return state[c] != DEAD && state[c] != NEW;
  }

  void append(int c, int message, Messages messages) {
    if (first[c] == Messages.NONE) {
      first[c] = message;
    } else {
      messages.next[last[c]] = message;
    }
    last[c] = message;
    if (unsent[c] == Messages.NONE) {
      unsent[c] = message;
    }
  }

  /** Takes the oldest message out of the chain. */
  int removeFirst(int c, Messages messages) {
    int m = first[c];
    first[c] = messages.next[m];
    if (unsent[c] == m) {
      unsent[c] = first[c];
    }
    return m;
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return (4L * 6 + 3) * fd.length;
  }
}
