package echoladder.openloop.staged;

import echoladder.client.StagedLoad;
import echoladder.client.schedule.Mix;
import echoladder.openloop.schedule.DueQueue;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.Timing;

/**
 * Users of a staged load: each asks for everything at once, one request on each of its connections, and again when it
 * is due. Connection {@code c} of the loop is request {@code c mod requests} of user {@code c / requests}.
 *
 * <p>Open, a user is due once a cycle, whatever became of its requests. Closed, it is due a pause after the last of its
 * answers. In both a visit begins with a wait of the user's own, drawn within one cycle by the seed: users who come at
 * even gaps would ask in step otherwise.
 */
public final class UserPacer implements Pacer {
  private final StagedLoad load;
  private final Timing timing;
  private final int each;
  private final boolean open;
  private final long cycleNs;
  private final long pauseNs;
  private final long[][] visits;
  /** The visit that a user is in or comes to next, as the place of its beginning. */
  private final int[] visit;
  private final long[] waitNs;
  /** Answers that a user of a closed loop waits for; -1 once it has lost a connection and is gone for good. */
  private final int[] owed;
  private final DueQueue queue;
  private boolean warming;
  private boolean staged;
  private int current;
  private long currentNs;
  /** Requests of the current user that were taken; 0 = there is no current user. */
  private int position;

  public UserPacer(StagedLoad load, long seed, Timing timing) {
    this.load = load;
    this.timing = timing;
    this.each = load.requests().size();
    this.open = load.loop() == StagedLoad.Loop.OPEN;
    this.cycleNs = load.cycle().toNanos();
    this.pauseNs = load.pause().toNanos();
    int users = load.peakUsers();
    visits = Visits.of(load);
    visit = new int[users];
    owed = new int[users];
    queue = new DueQueue(users);
    waitNs = new long[users];
    for (int u = 0; u < users; u++) {
      waitNs[u] = Math.floorMod(Mix.of(seed, u), cycleNs);
    }
  }

  @Override
  public long nextNs() {
    return timing.finish ? Timing.UNKNOWN : dueNs();
  }

  @Override
  public long dueNs() {
    begin();
    long due = position > 0 ? currentNs : queue.isEmpty() ? Timing.UNKNOWN : queue.firstNs();
    return due < timing.steadyEndNs ? due : Timing.UNKNOWN;
  }

  /** Lets users in once it is known when the warm-up, and when the first stage, begins. */
  private void begin() {
    int users = visits.length;
    if (!warming && timing.scheduleStartNs != Timing.UNKNOWN) {
      warming = true;
      // Those who come last: what a warm-up leaves on their connections is over by the time their stage begins.
      for (int u = users - load.warmUpUsers(); u < users; u++) {
        queue.add(u, timing.scheduleStartNs + waitNs[u]);
      }
    }
    if (!staged && timing.steadyStartNs != Timing.UNKNOWN) {
      staged = true;
      // What those of the warm-up would ask from here on belongs to their visits, if to anything.
      int waiting = queue.size();
      int[] user = new int[waiting];
      long[] due = new long[waiting];
      for (int i = 0; i < waiting; i++) {
        due[i] = queue.firstNs();
        user[i] = queue.take();
      }
      for (int i = 0; i < waiting; i++) {
        add(user[i], due[i]);
      }
      for (int u = 0; u < users - load.warmUpUsers(); u++) {
        add(u, timing.steadyStartNs);
      }
    }
  }

  /** Queues a user for the first time from {@code atNs} on at which it is there; never again where there is none. */
  private void add(int user, long atNs) {
    long start = timing.steadyStartNs;
    if (start == Timing.UNKNOWN || atNs < start) {
      queue.add(user, atNs);
      return;
    }
    long[] mine = visits[user];
    for (int v = visit[user]; v < mine.length; v += 2) {
      visit[user] = v;
      long due = Math.max(atNs, start + mine[v] + waitNs[user]);
      if (due < start + mine[v + 1]) {
        queue.add(user, due);
        return;
      }
    }
    visit[user] = mine.length;
  }

  @Override
  public int take() {
    if (position == 0) {
      currentNs = queue.firstNs();
      current = queue.take();
      owed[current] = owed[current] < 0 ? -1 : each;
    }
    int c = current * each + position;
    if (++position == each) {
      position = 0;
      if (open) {
        add(current, currentNs + cycleNs);
      }
    }
    return c;
  }

  @Override
  public void answered(int connection, long nowNs) {
    int user = connection / each;
    if (!open && owed[user] > 0 && --owed[user] == 0) {
      add(user, nowNs + pauseNs);
    }
  }

  @Override
  public void lost(int connection) {
    owed[connection / each] = -1;
  }

  @Override
  public long arrayBytes() {
    long ends = 0;
    for (long[] mine : visits) {
      ends += 8L * mine.length;
    }
    return ends + (8L + 4 + 4) * visits.length + queue.arrayBytes();
  }
}
