package echoladder.openloop.staged;

import echoladder.client.StagedLoad;
import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures.Span;
import echoladder.client.figures.StagedFigures;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.MessageObserver;
import echoladder.openloop.result.MessageTimes;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** The figures of a staged load by stage and request. A message belongs to the stage of its intended send. */
public final class StageObserver implements MessageObserver {
  /** An answer may come earlier than asked for by this much: timers are cut to milliseconds in places. */
  private static final long EARLY_NS = 1_000_000;

  private final StagedLoad load;
  private final Timing timing;
  private final int each;
  private final boolean open;
  private final boolean stamps;
  private final long withinNs;
  private final long[] takesNs;
  /** End of each stage, ns since the beginning of the first. */
  private final long[] endNs;
  private final StagePage[][] pages;
  private final SingleWriterRecorder[] responses;
  private final SingleWriterRecorder[] services;
  private final SingleWriterRecorder[] servers;
  private volatile @Nullable StagedFigures figures;
  private boolean closed;

  /** The figures of one loop; with {@code stamps} it has server times. */
  public StageObserver(StagedLoad load, Timing timing, boolean stamps) {
    this.load = load;
    this.stamps = stamps;
    this.timing = timing;
    each = load.requests().size();
    open = load.loop() == StagedLoad.Loop.OPEN;
    withinNs = load.answerWithin().toNanos();
    takesNs = load.requests().stream().mapToLong(request -> request.takes().toNanos()).toArray();
    endNs = new long[load.stages().size()];
    pages = new StagePage[endNs.length][each];
    long end = 0;
    for (int s = 0; s < endNs.length; s++) {
      end += load.stages().get(s).over().toNanos();
      endNs[s] = end;
      for (int r = 0; r < each; r++) {
        pages[s][r] = new StagePage();
      }
    }
    responses = new SingleWriterRecorder[each];
    services = new SingleWriterRecorder[each];
    servers = new SingleWriterRecorder[each];
    for (int r = 0; r < each; r++) {
      responses[r] = new SingleWriterRecorder(1, Recorders.HIGHEST_NS, Recorders.DIGITS);
      services[r] = new SingleWriterRecorder(1, Recorders.HIGHEST_NS, Recorders.DIGITS);
      servers[r] = new SingleWriterRecorder(1, Recorders.HIGHEST_NS, Recorders.DIGITS);
    }
  }

  /** The stage of a time, or -1 after the last; what counts is never before the first. */
  private int stage(long ns) {
    long since = ns - timing.steadyStartNs;
    for (int s = 0; s < endNs.length; s++) {
      if (since < endNs[s]) {
        return s;
      }
    }
    return -1;
  }

  private StagePage page(int connection, long intendedNs) {
    int s = stage(intendedNs);
    return pages[s < 0 ? endNs.length - 1 : s][connection % each];
  }

  @Override
  public void intended(int connection, long intendedNs) {
    page(connection, intendedNs).intended++;
  }

  @Override
  public void answered(int connection, Answer answer, MessageTimes times) {
    if (closed) {
      return;
    }
    int r = connection % each;
    StagePage page = page(connection, times.intendedNs());
    long service = times.serviceNs();
    switch (answer) {
      case DECLINED -> page.wrongStatus++;
      case WRONG -> page.wrongBody++;
      case BROKEN, ENDED -> page.failed++;
      case RIGHT -> {
        if (service < takesNs[r] - EARLY_NS) {
          page.wrongBody++;
          return;
        }
        page.answered++;
        int now = stage(times.readNs());
        if (now >= 0) {
          pages[now][r].completed++;
        }
        if ((open ? times.responseNs() : service) > withinNs) {
          page.late++;
        }
        if (times.stamped()) {
          page.stamped++;
        }
        response(page, r, times.responseNs());
        service(page, r, service);
        server(page, r, times.serverNs());
      }
    }
  }

  private void response(StagePage page, int r, long ns) {
    if (open) {
      long response = Math.clamp(ns, 0, Recorders.HIGHEST_NS);
      page.response.recordValue(response);
      responses[r].recordValue(response);
    }
  }

  private void service(StagePage page, int r, long ns) {
    long service = Math.clamp(ns, 0, Recorders.HIGHEST_NS);
    page.service.recordValue(service);
    services[r].recordValue(service);
  }

  private void server(StagePage page, int r, long ns) {
    if (stamps) {
      long server = Math.clamp(ns, 0, Recorders.HIGHEST_NS);
      page.server.recordValue(server);
      servers[r].recordValue(server);
    }
  }

  @Override
  public void failed(int connection, long intendedNs) {
    if (!closed) {
      page(connection, intendedNs).failed++;
    }
  }

  @Override
  public void unanswered(int connection, MessageTimes times) {
    StagePage page = page(connection, times.intendedNs());
    page.unanswered++;
    long age = open || !times.attempted() ? times.responseNs() : times.serviceNs();
    page.youngestNs = Math.min(page.youngestNs, age);
    int r = connection % each;
    response(page, r, times.responseNs());
    if (times.attempted()) {
      service(page, r, times.serviceNs());
    }
    server(page, r, times.serverNs());
  }

  @Override
  public void close(long nowNs) {
    closed = true;
    List<Span> spans = new ArrayList<>();
    StagePage[] whole = new StagePage[each];
    for (int r = 0; r < each; r++) {
      whole[r] = new StagePage();
    }
    double seconds = 0;
    double userSeconds = 0;
    // Where no stage was begun there is no time to count from.
    long lasted = timing.steadyStartNs == Timing.UNKNOWN ? 0 : nowNs - timing.steadyStartNs;
    for (int s = 0; s < endNs.length && lasted > (s == 0 ? 0 : endNs[s - 1]); s++) {
      long begin = s == 0 ? 0 : endNs[s - 1];
      long until = Math.min(endNs[s], lasted);
      double own = (until - begin) / 1e9;
      double users = (load.usersAt(begin) + load.usersAt(until - 1)) / 2;
      seconds += own;
      userSeconds += users * own;
      spans.add(
          span(s + 1, load.usersBefore(s), load.stages().get(s).users(), own, load.ceilingPerS(users), pages[s]));
      for (int r = 0; r < each; r++) {
        whole[r].add(pages[s][r]);
      }
    }
    double ceiling = seconds == 0 ? 0 : load.ceilingPerS(userSeconds / seconds);
    if (!spans.isEmpty()) {
      spans.add(span(null, 0, spans.getLast().usersTo(), seconds, ceiling, whole));
    }
    figures = new StagedFigures(open ? "open" : "closed", ceiling, spans);
  }

  private Span span(
      @Nullable Integer stage, int from, int to, double seconds, double ceilingPerS, StagePage[] requests) {
    List<RequestFigures> all = new ArrayList<>();
    StagePage together = new StagePage();
    for (int r = 0; r < each; r++) {
      all.add(requests[r].figures(load.requests().get(r).name(), seconds, open));
      together.add(requests[r]);
    }
    all.add(together.figures(Span.ALL, seconds, open));
    return new Span(stage, from, to, seconds, ceilingPerS, all);
  }

  @Override
  public @Nullable StagedFigures figures() {
    return figures;
  }

  @Override
  public void addIntervalTo(Map<String, Histogram> into) {
    for (int r = 0; r < each; r++) {
      String name = load.requests().get(r).name();
      put(into, TimeKind.RESPONSE.tag + "-" + name, responses[r].getIntervalHistogram());
      put(into, TimeKind.SERVICE.tag + "-" + name, services[r].getIntervalHistogram());
      put(into, TimeKind.SERVER.tag + "-" + name, servers[r].getIntervalHistogram());
    }
  }

  private static void put(Map<String, Histogram> into, String tag, Histogram interval) {
    if (interval.getTotalCount() > 0) {
      into.put(tag, interval);
    }
  }
}
