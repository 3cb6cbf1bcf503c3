package echoladder.openloop.publish;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.Schedule;
import echoladder.client.schedule.Slice;
import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Delivery;
import echoladder.openloop.codec.PublishTalk;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Pacer;
import echoladder.openloop.schedule.ScheduledPacer;
import echoladder.openloop.schedule.Timing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Publishes a load's messages when they are intended, on a connection and a thread of its own, so that subscribers who are read delay no
 * publish. It waits for no answer. A message that finds its socket full waits for the server; one behind it could go from when there is
 * room again. Counts are in deliveries, as the load's are.
 */
public final class Publisher implements Runnable {
  /** A publish that is later than this through the client's own fault is late. */
  private static final long LATE_NS = 1_000_000;

  /** The longest wait: how late a new phase may be seen. */
  private static final long MOST_WAIT_NS = 10_000_000;

  /** A connection that a server ends sooner has not been idle for too long. */
  private static final long LEAST_LIFE_NS = 1_000_000_000;

  private static final int BURST = 64;
  private static final int BUFFER_BYTES = 64 << 10;

  public final Counters counters = new Counters();
  public final Recorders recorders = new Recorders(counters);
  public final PublishLog log = new PublishLog();
  private final Publish publish;
  private final int subscribers;
  private final int topics;
  private final long spinNs;
  private final Addresses addresses;
  private final Timing timing;
  private final Failures failures;
  private final Pacer pacer;
  private final SystemCalls sys = new SystemCalls();
  private final Delivery message = new Delivery();
  private final PublishTalk talk;
  private final PublishTalk.Answers answers = new Answers();
  private final MemorySegment out;
  private final MemorySegment in = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  /** What goes between two messages: a message that waits for room may lie in {@link #out}. */
  private final MemorySegment own = Arena.ofAuto().allocate(PublishTalk.MOST_OWN_BYTES);
  /** The descriptor of the connection; negative = there is none. */
  private int fd = -1;
  /** When its connect began. */
  private long begunNs;
  private boolean connecting;
  /** It has ended. */
  private boolean dead;
  /** There is no room in the socket, or the server has not agreed to be published to. */
  private boolean full = true;
  /** What comes before the first message is sent. */
  private boolean opened;
  private boolean waitsToOpen;
  /** The oldest message that was not written completely. */
  private int next;
  /** Bytes that publish it, once somebody has tried. */
  private int bytes;
  /** Bytes written of it; -1 = nobody has tried. */
  private int written = -1;
  private long attemptedNs;
  private long owed;
  private int announced;

  public Publisher(LoadPlan plan, Publish publish, Addresses addresses, Timing timing, Failures failures) {
    this.publish = publish;
    this.subscribers = plan.activeConnections();
    this.topics = publish.topics(subscribers);
    this.spinNs = plan.spin().toNanos();
    this.addresses = addresses;
    this.timing = timing;
    this.failures = failures;
    this.talk = PublishTalk.of(plan, failures);
    this.out = Arena.ofAuto().allocate(Math.max(talk.mostBytes(), talk.opening().length), 64);
    Schedule.Asked asked = new Schedule.Asked(plan.publishesPerSecond(), plan.seed(), plan.steady().toNanos());
    this.pacer = new ScheduledPacer(plan.schedule().sends(new Slice(0, 1, 1, 1), asked), timing);
  }

  @Override
  public void run() {
    sys.timerSlackNs(1);
    try (Epoll epoll = Epoll.open(sys, 4)) {
      while (!timing.close) {
        if (fd < 0 && !dead) {
          connect(epoll);
        }
        turn(epoll);
      }
    } finally {
      close();
    }
  }

  private void connect(Epoll epoll) {
    begunNs = System.nanoTime();
    full = true;
    opened = false;
    fd = sys.tcpSocket();
    int r = fd < 0 ? fd : sys.setOption(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY, 1);
    String call = fd < 0 ? "socket" : "setsockopt";
    if (r == 0 && !addresses.sources().isEmpty()) {
      call = "bind";
      r = sys.setOption(fd, SystemCalls.IPPROTO_IP, SystemCalls.IP_BIND_ADDRESS_NO_PORT, 1);
      r = r == 0 ? sys.bind(fd, addresses.sources().getFirst()) : r;
    }
    if (r == 0) {
      SocketAddress target = addresses.targets().getFirst();
      call = "connect";
      connecting = true;
      r = sys.connect(fd, target);
      r = r == -Errno.EINPROGRESS ? 0 : r;
    }
    if (r == 0) {
      call = "epoll_ctl";
      r = epoll.add(fd, Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE, 0);
    }
    if (r < 0) {
      lost(call + " " + Errno.name(r));
    }
  }

  private void turn(Epoll epoll) {
    if (timing.announced != announced) {
      announced = timing.announced;
      for (Counters.Of of : Counters.Of.values()) {
        if (of.ofSteady) {
          counters.set(of, 0);
        }
      }
      recorders.anew();
    }
    due();
    if (timing.finish && !log.closed()) {
      settle();
    }
    outstanding();
    for (int i = await(epoll) - 1; i >= 0; i--) {
      handle(epoll.mask(i));
    }
  }

  /** Tells what is owed: a message still to come counts too, as of any loop, and an answer. */
  private void outstanding() {
    counters.set(Counters.Of.OUTSTANDING, owed + log.size() - log.told() + (pacer.nextNs() == Timing.UNKNOWN ? 0 : 1));
  }

  private int await(Epoll epoll) {
    long now = System.nanoTime();
    long rest = Math.min(pacer.nextNs() - now, MOST_WAIT_NS);
    if (rest > spinNs || spinNs == 0) {
      return epoll.await(Math.max(0, rest - spinNs));
    }
    long end = now + rest;
    int n = epoll.await(0);
    while (n == 0 && System.nanoTime() < end) {
      n = epoll.await(0);
    }
    return n;
  }

  /** Publishes what is due. */
  private void due() {
    long now = System.nanoTime();
    for (int i = 0; i < BURST && pacer.nextNs() <= now; i++) {
      comesDue(pacer.nextNs());
      if (!full && !dead) {
        send(MessageTimes.FREE);
        now = Math.max(now, attemptedNs);
      }
    }
  }

  private void comesDue(long intended) {
    pacer.take();
    int audience = audience(log.due(intended));
    owed += audience;
    if (timing.counts(intended)) {
      counters.add(Counters.Of.PUBLISHES, 1);
      counters.add(Counters.Of.SCHEDULED, audience);
    }
    // Before it is sent: else its deliveries could be counted before it, and nothing would seem to be owed.
    outstanding();
  }

  private int topic(int number) {
    return number % topics;
  }

  private int audience(int number) {
    return publish.audience(topic(number), subscribers);
  }

  /** Sends what was not written, as far as there is room; {@code freed} as in {@link MessageTimes}, of what nobody has tried to send. */
  private void send(long freed) {
    while (!full && !dead && (written > 0 || saidOwn()) && next < log.size()) {
      if (written < 0) {
        begin(freed);
      }
      int n = sys.write(fd, written == 0 ? out : out.asSlice(written), bytes - written);
      if (n < 0) {
        notWritten(n);
        return;
      }
      written += n;
      if (written == bytes) {
        ended();
      }
    }
  }

  /** Sends what the protocol itself has to say between two messages; whether nothing of it is left. */
  private boolean saidOwn() {
    for (int left = talk.ownBytes(); left > 0; left = talk.ownBytes()) {
      talk.own(own);
      int n = sys.write(fd, own, left);
      if (n < 0) {
        notWritten(n);
        return false;
      }
      talk.ownSent(n);
    }
    return true;
  }

  private void notWritten(int errno) {
    full = true;
    if (errno != -Errno.EAGAIN) {
      lost("write " + Errno.name(errno));
    }
  }

  private void begin(long freed) {
    written = 0;
    attemptedNs = System.nanoTime();
    message.sequence = next;
    message.topic = topic(next);
    message.intendedNs = log.intendedNs(next);
    message.freedNs = freed;
    message.sentNs = attemptedNs;
    log.sent(next, freed, attemptedNs);
    bytes = talk.publish(out, message);
    if (timing.counts(message.intendedNs)) {
      long lateness = MessageTimes.latenessNs(message.intendedNs, freed, attemptedNs);
      recorders.record(TimeKind.LATENESS, lateness);
      if (freed == MessageTimes.FREE && lateness > LATE_NS) {
        counters.add(Counters.Of.LATE, audience(next));
      }
    }
  }

  private void ended() {
    int audience = audience(next);
    counters.add(Counters.Of.SENT_EVER, audience);
    if (timing.counts(log.intendedNs(next))) {
      counters.add(Counters.Of.SENT, audience);
    }
    written = -1;
    next++;
    if (!talk.answered() && !log.closed()) {
      log.told(PublishTalk.UNTOLD);
    }
  }

  private void handle(int mask) {
    if (dead) {
      return;
    }
    if (connecting) {
      int error = sys.option(fd, SystemCalls.SOL_SOCKET, SystemCalls.SO_ERROR);
      if (error != 0) {
        lost("connect " + Errno.name(-Math.abs(error)));
        return;
      }
      connecting = (mask & Epoll.OUT) == 0;
    }
    boolean over = (mask & (Epoll.RDHUP | Epoll.HUP | Epoll.ERR)) != 0;
    if ((mask & Epoll.IN) != 0 || over) {
      read();
    }
    if (fd < 0) {
      return;
    }
    if ((mask & Epoll.OUT) != 0 && !opened) {
      open();
    }
    // What was read may ask for something to be said.
    send(MessageTimes.FREE);
    if (((mask & Epoll.OUT) != 0 || waitsToOpen) && full && !dead && talk.open()) {
      waitsToOpen = false;
      full = false;
      // The server made room: what has waited for that without an attempt has waited for the server.
      send(System.nanoTime());
    }
  }

  /** Sends what comes before the first message; a new socket has room for it. */
  private void open() {
    opened = true;
    byte[] opening = talk.opening();
    waitsToOpen = opening.length > 0;
    if (waitsToOpen) {
      MemorySegment.copy(opening, 0, out, ValueLayout.JAVA_BYTE, 0, opening.length);
      int n = sys.write(fd, out, opening.length);
      if (n != opening.length) {
        lost("write " + (n < 0 ? Errno.name(n) : "cut short"));
      }
    }
  }

  /** Takes the server's answers, until there are no more: epoll is edge-triggered. */
  private void read() {
    int n = -Errno.EAGAIN;
    while (!dead && (n = sys.read(fd, in, BUFFER_BYTES)) > 0) {
      // Once the log is closed, an answer was missing when that was counted.
      if (!log.closed()) {
        talk.take(in, n, answers);
      }
    }
    if (n != -Errno.EAGAIN && !dead) {
      endedByServer(n == 0 ? "closed by the server" : "read " + Errno.name(n));
    }
  }

  /** The server has ended the connection. Where that was for its idleness alone, another is opened at once, ahead of the next message. */
  private void endedByServer(String cause) {
    boolean idle = next == log.size() && log.told() == log.size();
    if (!idle || log.closed() || talk.lasts() || System.nanoTime() - begunNs < LEAST_LIFE_NS) {
      lost(cause);
    } else {
      close(); // The next turn connects anew.
    }
  }

  /** What the server says of the messages, in their order. */
  private final class Answers implements PublishTalk.Answers {
    @Override
    public void published(int count) {
      log.told(count);
    }

    @Override
    public void broken(String cause) {
      lost(cause);
    }

    @Override
    public int topic() {
      return log.told() < log.size() ? Publisher.this.topic(log.told()) : -1;
    }
  }

  private void lost(String cause) {
    dead = true;
    if (!log.closed()) {
      counters.set(Counters.Of.PUBLISHER_LOST, 1);
      failures.count("publisher: " + cause);
    }
    close();
  }

  private void close() {
    if (fd >= 0) {
      sys.close(fd);
      fd = -1;
    }
  }

  /** Accounts for what was due and never taken from the pacer, and for what the server has not answered. */
  private void settle() {
    long now = System.nanoTime();
    long due;
    while ((due = pacer.dueNs()) <= now && due != Timing.UNKNOWN) {
      comesDue(due);
    }
    counters.set(Counters.Of.UNACKNOWLEDGED, log.size() - log.told());
    log.close(now, full || dead);
  }
}
