package echoladder.openloop.publish;

import echoladder.openloop.result.MessageTimes;
import java.util.Arrays;

/**
 * Every message that a load publishes, by its number. The publisher's thread writes it, and nobody else looks into it until it is
 * {@link #closed}. Grows by half when full; a load's schedule bounds how far.
 */
public final class PublishLog {
  private static final long UNSENT = Long.MIN_VALUE;
  private static final int UNTOLD = -1;

  private long[] intendedNs = new long[1024];
  private long[] freedNs = new long[1024];
  private long[] sentNs = new long[1024];
  private int[] audience = new int[1024];
  private int size;
  private int told;
  private boolean behind;
  private long closedNs;
  private volatile boolean closed;

  /** A message that came due; its number. */
  int due(long intended) {
    if (size == intendedNs.length) {
      int larger = Math.addExact(size, size >> 1);
      intendedNs = Arrays.copyOf(intendedNs, larger);
      freedNs = Arrays.copyOf(freedNs, larger);
      sentNs = Arrays.copyOf(sentNs, larger);
      audience = Arrays.copyOf(audience, larger);
    }
    intendedNs[size] = intended;
    sentNs[size] = UNSENT;
    audience[size] = UNTOLD;
    return size++;
  }

  /** The first attempt to send it, {@code freed} as in {@link MessageTimes}. */
  void sent(int number, long freed, long sent) {
    freedNs[number] = freed;
    sentNs[number] = sent;
  }

  /** The number of the message whose subscribers the server tells next. */
  int told() {
    return told;
  }

  /** The server has handed it to so many; -1 = it has it, and does not say. */
  void told(int subscribers) {
    audience[told++] = subscribers;
  }

  /** Nothing more comes; {@code waiting} = what was not sent waits for room in its socket, and not for the client. */
  void close(long now, boolean waiting) {
    behind = waiting;
    closedNs = now;
    closed = true;
  }

  /** Whether all of it is there for every thread. */
  public boolean closed() {
    return closed;
  }

  public long closedNs() {
    return closedNs;
  }

  /** Messages that came due. */
  public int size() {
    return size;
  }

  public long intendedNs(int number) {
    return intendedNs[number];
  }

  /** Whether the server has told of it, and fewer than {@code least} or more than {@code most}. */
  public boolean differs(int number, long least, long most) {
    return audience[number] != UNTOLD && (audience[number] < least || audience[number] > most);
  }

  /** The times of its delivery to somebody whom it has not reached by then. */
  public void undelivered(int number, long now, MessageTimes into) {
    if (sentNs[number] != UNSENT) {
      into.unanswered(intendedNs[number], freedNs[number], sentNs[number], now);
    } else if (behind) {
      into.behind(intendedNs[number], now);
    } else {
      into.notReached(intendedNs[number], now);
    }
  }
}
