package echoladder.openloop.result;

/**
 * The times of one message, ns on the monotonic clock, and what they come to: docs/METHOD.md, "Four times". One instance serves all
 * messages of a loop in turn, as none is to be allocated per echo.
 *
 * <p>With i the intended send, s the first attempt to send, k the arrival of the answer's last byte, r the client's read of it, and p
 * the arrival of the earlier answer that the message had to wait for:
 * server time = max(0, p - i) + (k - s), send lateness = s - max(i, p), receive delay = r - k; response time = r - i is their sum.
 */
public final class MessageTimes {
  /** Value of p for a message that had to wait for no other: its connection was free when it was due. */
  public static final long FREE = Long.MIN_VALUE;

  /** Value of k for an answer that has no usable stamp. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private long intendedNs;
  /** max(i, p): from then on it was the client's to send it. */
  private long mightGoNs;
  private long sentNs;
  private long arrivedNs;
  private long readNs;
  private boolean stamped;
  private boolean attempted;

  /**
   * A message that was answered. Without a stamp the answer counts as arrived when it was read, which its server time can only exceed.
   *
   * @param intended i, at most {@code sent}
   * @param freed p, or {@link #FREE}
   * @param sent s
   * @param arrived k, or {@link #UNKNOWN}
   * @param read r, at least {@code sent}
   */
  public void answered(long intended, long freed, long sent, long arrived, long read) {
    set(intended, freed, sent, Math.max(sent, read));
    stamped = arrived != UNKNOWN;
    arrivedNs = stamped ? Math.clamp(arrived, sent, readNs) : readNs;
    attempted = true;
  }

  /** A message that was sent and has no answer by then. */
  public void unanswered(long intended, long freed, long sent, long now) {
    set(intended, freed, sent, now);
    arrivedNs = now;
    stamped = false;
    attempted = true;
  }

  /** A message that waits for another's answer, and has not gone out by then: all of its wait is the server's. */
  public void behind(long intended, long now) {
    unanswered(intended, now, now, now);
    attempted = false;
  }

  /** A message that could have gone out and has not by then: all of its wait is the client's. */
  public void notReached(long intended, long now) {
    unanswered(intended, FREE, now, now);
    attempted = false;
  }

  private void set(long intended, long freed, long sent, long read) {
    intendedNs = intended;
    sentNs = sent;
    mightGoNs = mightGoNs(intended, freed, sent);
    readNs = read;
  }

  /** i. */
  public long intendedNs() {
    return intendedNs;
  }

  /** k: where it has no stamp, r. */
  public long arrivedNs() {
    return arrivedNs;
  }

  /** r: of an unanswered message, when it was given up. */
  public long readNs() {
    return readNs;
  }

  /** Whether a stamp said when the answer arrived. */
  public boolean stamped() {
    return stamped;
  }

  /** Whether the client tried to send it. */
  public boolean attempted() {
    return attempted;
  }

  public long responseNs() {
    return readNs - intendedNs;
  }

  /** r - s: what is left of the response time where nobody counts the wait before the send. */
  public long serviceNs() {
    return readNs - sentNs;
  }

  public long serverNs() {
    return mightGoNs - intendedNs + arrivedNs - sentNs;
  }

  public long receiveDelayNs() {
    return readNs - arrivedNs;
  }

  public long latenessNs() {
    return sentNs - mightGoNs;
  }

  /** The lateness of a message as soon as it was sent. */
  public static long latenessNs(long intended, long freed, long sent) {
    return sent - mightGoNs(intended, freed, sent);
  }

  /** What a message waited for was over when it was sent. */
  private static long mightGoNs(long intended, long freed, long sent) {
    return Math.max(intended, Math.min(freed, sent));
  }
}
