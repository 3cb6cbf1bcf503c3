package echoladder.harness.metric;

import static echoladder.harness.probe.Figure.ECHO_CONNECTIONS_ACCEPTED;
import static echoladder.harness.probe.Figure.HOST_CPU_NS;
import static echoladder.harness.probe.Figure.HOST_IDLE_NS;
import static echoladder.harness.probe.Figure.HOST_STEAL_NS;
import static echoladder.harness.probe.Figure.SERVER_HICCUP_METER_CPU_NS;

import echoladder.client.CpuPerEcho;
import echoladder.client.LoadResult;
import echoladder.harness.common.HostCpu;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import echoladder.linux.cpu.CpuList;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What was read at the borders of a rung, and the arithmetic that its figures have in common. Pure; what lacks a part of it
 * is null.
 *
 * @param ready when the server was ready and nothing was connected
 * @param start of the steady state
 * @param end of the steady state
 * @param heap after a forced collection while all connections were held
 * @param load as the client gave it: the server's CPU is without its hiccup meter
 * @param attached whether the server was there before the rung, and so may have held connections already
 * @param elsewhere whether it is on another host, so that its CPU is not in that of this one
 * @param oneProcess whether one and the same process was it all the time
 * @param gaps of the host before the run; null = it was not looked at
 * @param storm a restart of the server; null = none
 * @param clientsAfar whether the host that was read has the server alone, as clients are on hosts of their own
 */
public record RungReadings(
    Reading ready,
    Reading start,
    Reading end,
    @Nullable LiveHeap heap,
    LoadResult load,
    boolean attached,
    boolean elsewhere,
    boolean oneProcess,
    @Nullable HostGaps gaps,
    @Nullable StormReading storm,
    boolean clientsAfar) {
  /** Connections that a fresh server may have had: checks, and who looks. */
  private static final int USED_LEAST = 10;

  private static final double USED_SHARE = 0.01;

  @Nullable Long atReady(Figure figure) {
    return boxed(ready.get(figure));
  }

  @Nullable Long atEnd(Figure figure) {
    return boxed(end.get(figure));
  }

  /** Its growth over the steady state. */
  @Nullable Double grown(Figure figure) {
    OptionalLong grown = end.since(start, figure);
    return grown.isEmpty() ? null : (Double) (double) grown.getAsLong();
  }

  /** Growth over the steady state of what only one process counts; null where the server was not one process all the time. */
  @Nullable Double grownInProcess(Figure figure) {
    return oneProcess ? grown(figure) : null;
  }

  /** Where so many threads ended that a sum over the living ones fell, it says nothing. */
  private @Nullable Double counted(Figure figure) {
    Double grown = grown(figure);
    return grown == null || grown < 0 ? null : grown;
  }

  @Nullable Double perSecond(Figure count) {
    Double counted = counted(count);
    long ns = end.monotonicNs - start.monotonicNs;
    return counted == null || ns <= 0 ? null : (Double) (counted / (ns / 1e9));
  }

  @Nullable Double perEcho(Figure count) {
    Double counted = counted(count);
    return counted == null || load.messages().echoesInSteady() == 0 ? null : (Double) (counted / load.messages().echoesInSteady());
  }

  /** CPU per echo, in µs. */
  @Nullable Double usPerEcho(@Nullable Double ns) {
    return CpuPerEcho.us(ns, load.messages().echoesInSteady());
  }

  /** A size, less what it was before, over the connections. */
  @Nullable Double perConnection(@Nullable Long now, @Nullable Long before) {
    return now == null || before == null || load.connections().established() == 0
        ? null
        : (Double) ((double) (now - before) / load.connections().established());
  }

  /** CPU time as a share of the host's over the steady state, idle included. */
  @Nullable Double shareOfHost(@Nullable Double ns) {
    Double whole = grown(HOST_CPU_NS);
    return ns == null || whole == null || whole <= 0 ? null : (Double) (ns / whole);
  }

  /** Whose processors, where server and client have some of their own. */
  enum Side {
    SERVER,
    CLIENT
  }

  /**
   * CPU of one side's processors over the steady state; null where the sides share a processor, or one of them is not known: by
   * what the kernel said of the processes, not by what was asked for.
   */
  @Nullable HostCpu ofSide(Side side) {
    CpuList server = list(load.placement().serverCpus());
    CpuList client = list(load.placement().clientCpus());
    if (elsewhere || clientsAfar || server == null || client == null || !server.in(client).isEmpty()) {
      return null;
    }
    return end.since(start, side == Side.SERVER ? server : client);
  }

  private static @Nullable CpuList list(@Nullable String cpus) {
    return cpus == null || cpus.isEmpty() ? null : CpuList.parse(cpus);
  }

  /** Idle, of the CPU of one side's processors. */
  @Nullable Double idleShare(Side side) {
    HostCpu cpu = ofSide(side);
    return cpu == null ? null : cpu.share(cpu.idleNs());
  }

  /** Taken by the hypervisor, of the same. */
  @Nullable Double stealShare(Side side) {
    HostCpu cpu = ofSide(side);
    return cpu == null ? null : cpu.share(cpu.stealNs());
  }

  /**
   * Whether the server had held a noteworthy part of so many connections before: the heap that it grew then is free, and
   * what it grows now is less than what the connections take.
   */
  boolean used() {
    OptionalLong before = ready.get(ECHO_CONNECTIONS_ACCEPTED);
    return attached && (before.isEmpty() || before.getAsLong() > Math.max(USED_LEAST, USED_SHARE * load.connections().established()));
  }

  /**
   * Which part of the messages beyond a percentile the host's gaps may explain, at most 1: the part of the time that goes in gaps
   * longer than a tenth of it, over the part of the messages beyond it. The gaps are those of the processors that server and
   * client ran on. Every processor is in use at most as long as the side that was in use less.
   */
  @Nullable Double gapShare(@Nullable Long percentileNs, double beyond) {
    Double idle = shareOfHost(grown(HOST_IDLE_NS));
    if (gaps == null || percentileNs == null) {
      return null;
    }
    double busy = idle == null || load.placement().spins() ? 1 : Math.clamp(1 - idle, 0, 1);
    Double serverIdle = idleShare(Side.SERVER);
    Double clientIdle = idleShare(Side.CLIENT);
    double full = serverIdle == null || clientIdle == null ? busy : Math.clamp(1 - Math.max(serverIdle, clientIdle), 0, busy);
    CpuList server = list(load.placement().serverCpus());
    CpuList client = list(load.placement().clientCpus());
    HostGaps ours = server == null || client == null ? gaps : gaps.of(server.with(client));
    OptionalDouble lost = ours.share(percentileNs / 10.0, busy, full);
    return lost.isEmpty() ? null : (Double) Math.min(1, lost.getAsDouble() / beyond);
  }

  /** CPU per echo of all processors that worked for anybody here, in µs; steal is others' work. */
  @Nullable Double hostUsPerEcho() {
    Double all = grown(HOST_CPU_NS);
    Double idle = grown(HOST_IDLE_NS);
    Double steal = grown(HOST_STEAL_NS);
    return all == null || idle == null || steal == null ? null : usPerEcho(all - idle - steal);
  }

  /** CPU per echo of the server's hiccup meter, in µs. */
  @Nullable Double meterUsPerEcho() {
    return load.cost().serverCpuUsPerEcho() == null ? null : usPerEcho(grownInProcess(SERVER_HICCUP_METER_CPU_NS));
  }

  /** Host CPU per echo that is neither the server's nor the client's, in µs. */
  @Nullable Double othersUsPerEcho() {
    Double host = hostUsPerEcho();
    Double server = elsewhere ? (Double) 0.0 : load.cost().serverCpuUsPerEcho();
    Double seconds = load.cost().clientCpuSeconds();
    Double ofClient = seconds == null ? load.cost().clientCpuUsPerEcho() : usPerEcho((Double) (seconds * 1e9));
    Double client = clientsAfar ? (Double) 0.0 : ofClient;
    Double meter = elsewhere ? null : meterUsPerEcho();
    return host == null || server == null || client == null
        ? null
        : (Double) (host - server - client - (meter == null ? 0 : meter));
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
