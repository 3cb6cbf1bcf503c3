package echoladder.harness.run;

import static echoladder.harness.probe.Figure.ECHO_ACCEPT_ERRORS;
import static echoladder.harness.probe.Figure.ECHO_CONNECTIONS_ACCEPTED;
import static echoladder.harness.probe.Figure.ECHO_CONNECTIONS_OPEN;
import static echoladder.harness.probe.Figure.HOST_CONTEXT_SWITCHES;
import static echoladder.harness.probe.Figure.HOST_CPU_NS;
import static echoladder.harness.probe.Figure.HOST_IDLE_NS;
import static echoladder.harness.probe.Figure.HOST_STEAL_NS;
import static echoladder.harness.probe.Figure.SERVER_GC_COUNT;
import static echoladder.harness.probe.Figure.SERVER_GC_PAUSE_NS;
import static echoladder.harness.probe.Figure.SERVER_HICCUP_METER_CPU_NS;
import static echoladder.harness.probe.Figure.SERVER_INVOLUNTARY_SWITCHES;
import static echoladder.harness.probe.Figure.SERVER_RSS_BYTES;
import static echoladder.harness.probe.Figure.SERVER_THREADS;
import static echoladder.harness.probe.Figure.SERVER_VOLUNTARY_SWITCHES;
import static echoladder.harness.probe.Figure.SOCKET_SLAB_BYTES;
import static echoladder.harness.probe.Figure.TCP_BUFFERS_BYTES;

import echoladder.client.CpuPerEcho;
import echoladder.client.LoadResult;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.ProbeFigures;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** From the readings at the borders of a rung to its figures. Pure arithmetic; what lacks a part of it is null. */
final class FiguresOf {
  /** Connections below which the files and sockets of the host's other processes would drown theirs. */
  static final int LEAST_FOR_KERNEL = 1_000;

  /** Connections that a fresh server may have had: checks, and who looks. */
  private static final int USED_LEAST = 10;

  private static final double USED_SHARE = 0.01;

  private final Reading ready;
  private final Reading start;
  private final Reading end;
  private final @Nullable LiveHeap heap;
  private final LoadResult load;
  private final boolean attached;
  private final boolean elsewhere;
  private final boolean oneProcess;

  private FiguresOf(Borders borders, LoadResult load, boolean attached, boolean elsewhere, boolean oneProcess) {
    Reading none = new Reading(0);
    ready = borders.ready == null ? none : borders.ready;
    start = borders.steadyStart == null ? none : borders.steadyStart;
    end = borders.steadyEnd == null ? none : borders.steadyEnd;
    heap = oneProcess ? borders.liveHeap : null;
    this.load = load;
    this.attached = attached;
    this.elsewhere = elsewhere;
    this.oneProcess = oneProcess;
  }

  /**
   * The figures of a rung.
   *
   * @param load as the client gave it: the server's CPU is all of its process
   * @param attached whether the server was there before, and so may have held connections already
   * @param elsewhere whether it is on another host, so that its CPU is not in that of this one
   * @param oneProcess whether one and the same process was it all the time
   */
  static ProbeFigures rung(
      Borders borders, LoadResult load, boolean attached, boolean elsewhere, boolean oneProcess) {
    return new FiguresOf(borders, load, attached, elsewhere, oneProcess).figures();
  }

  private ProbeFigures figures() {
    Double busyNs = busyNs();
    Double hostUs = perEcho(busyNs);
    Double server = load.serverCpuUsPerEcho();
    Double client = load.clientCpuUsPerEcho();
    Double here = elsewhere ? (Double) 0.0 : server;
    Double meterUs = server == null ? null : perEcho(steady(SERVER_HICCUP_METER_CPU_NS));
    Double rest = hostUs == null || here == null || client == null ? null : (Double) (hostUs - here - client);
    Double hostNs = steady(HOST_CPU_NS);
    return new ProbeFigures(
        boxed(ready.get(SERVER_RSS_BYTES)),
        used() ? null : perConnection(load.serverRssBytes(), ready.get(SERVER_RSS_BYTES)),
        heap == null ? null : (Long) heap.liveHeapBytes(),
        heap == null ? null : perConnection(heap.liveHeapBytes(), OptionalLong.of(0)),
        heap == null ? null : heap.stackBytes(),
        load.connectionsEstablished() < LEAST_FOR_KERNEL
            ? null
            : perConnection(boxed(end.get(SOCKET_SLAB_BYTES)), ready.get(SOCKET_SLAB_BYTES)),
        boxed(end.get(TCP_BUFFERS_BYTES)),
        boxed(end.get(SERVER_THREADS)),
        perSecond(SERVER_VOLUNTARY_SWITCHES),
        perSecond(SERVER_INVOLUNTARY_SWITCHES),
        perSecond(HOST_CONTEXT_SWITCHES),
        oneProcess ? boxed(end.since(start, SERVER_GC_COUNT)) : null,
        oneProcess ? boxed(end.since(start, SERVER_GC_PAUSE_NS)) : null,
        oneProcess ? end.serverHiccupNs(start, 0.99) : null,
        oneProcess ? end.serverHiccupNs(start, 1) : null,
        oneProcess ? meterUs : null,
        hostUs,
        rest,
        share(steady(HOST_IDLE_NS), hostNs),
        share(steady(HOST_STEAL_NS), hostNs),
        foreign(rest, hostNs),
        null,
        null,
        boxed(end.get(ECHO_CONNECTIONS_OPEN)),
        boxed(end.get(ECHO_ACCEPT_ERRORS)));
  }

  /**
   * Whether the server had held a noteworthy part of so many connections before: the heap that it grew then is free, and
   * what it grows now is less than what the connections take.
   */
  private boolean used() {
    OptionalLong before = ready.get(ECHO_CONNECTIONS_ACCEPTED);
    return attached && (before.isEmpty() || before.getAsLong() > Math.max(USED_LEAST, USED_SHARE * load.connectionsEstablished()));
  }

  /** Time that the host's processors worked for anybody here; steal is others' work. */
  private @Nullable Double busyNs() {
    Double all = steady(HOST_CPU_NS);
    Double idle = steady(HOST_IDLE_NS);
    Double steal = steady(HOST_STEAL_NS);
    return all == null || idle == null || steal == null ? null : (Double) (all - idle - steal);
  }

  private @Nullable Double foreign(@Nullable Double restUsPerEcho, @Nullable Double hostNs) {
    return restUsPerEcho == null ? null : share(Math.max(0, restUsPerEcho) * 1e3 * load.echoesInSteady(), hostNs);
  }

  private @Nullable Double steady(Figure figure) {
    OptionalLong grown = end.since(start, figure);
    return grown.isEmpty() ? null : (Double) (double) grown.getAsLong();
  }

  private @Nullable Double perSecond(Figure figure) {
    Double grown = steady(figure);
    long ns = end.monotonicNs - start.monotonicNs;
    // Switches are those of living threads: where so many ended that the sum fell, it says nothing.
    return grown == null || grown < 0 || ns <= 0 ? null : (Double) (grown / (ns / 1e9));
  }

  private @Nullable Double perEcho(@Nullable Double ns) {
    return CpuPerEcho.us(ns, load.echoesInSteady());
  }

  private @Nullable Double perConnection(@Nullable Long now, OptionalLong before) {
    return now == null || before.isEmpty() || load.connectionsEstablished() == 0
        ? null
        : (Double) ((double) (now - before.getAsLong()) / load.connectionsEstablished());
  }

  private static @Nullable Double share(@Nullable Double part, @Nullable Double whole) {
    return part == null || whole == null || whole <= 0 ? null : (Double) (part / whole);
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
