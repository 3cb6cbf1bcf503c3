package echoladder.openloop.schedule;

/** Users by the time they are due: a binary heap in flat arrays, each user in it at most once. Not thread-safe. */
public final class DueQueue {
  private final long[] dueNs;
  private final int[] users;
  private int size;

  /** Room for that many users. */
  public DueQueue(int most) {
    dueNs = new long[most];
    users = new int[most];
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  /** When the first is due; the queue is not empty. */
  public long firstNs() {
    return dueNs[0];
  }

  public void add(int user, long due) {
    int at = size++;
    while (at > 0 && dueNs[(at - 1) / 2] > due) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    dueNs[at] = due;
    users[at] = user;
  }

  /** Takes the first out. */
  public int take() {
    int first = users[0];
    int user = users[--size];
    long due = dueNs[size];
    int at = 0;
    while (2 * at + 1 < size) {
      int below = 2 * at + 1;
      if (below + 1 < size && dueNs[below + 1] < dueNs[below]) {
        below++;
      }
      if (dueNs[below] >= due) {
        break;
      }
      move(below, at);
      at = below;
    }
    dueNs[at] = due;
    users[at] = user;
    return first;
  }

  private void move(int from, int to) {
    dueNs[to] = dueNs[from];
    users[to] = users[from];
  }

  /** Bytes this keeps in arrays. */
  public long arrayBytes() {
    return 12L * users.length;
  }
}
