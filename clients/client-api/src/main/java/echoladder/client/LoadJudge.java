package echoladder.client;

import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges a load by its figures and the bounds on them. These are the reasons with {@link ReasonCode#byBound()}: {@code load}
 * judges by {@link Bounds#DEFAULT}, a study by its own thresholds. Pure.
 */
public final class LoadJudge {
  /** A Poisson process of n messages has a deviation of sqrt(n), a constant schedule less: this many are no chance. */
  private static final double DEVIATIONS = 6;

  /** So many messages a schedule can miss by chance alone: fewer than {@link #DEVIATIONS} deviations. */
  private static final double BY_CHANCE_NONE = DEVIATIONS * DEVIATIONS;

  /** What is missing is the server's where it is so many times what the client's own delays can have withheld. */
  private static final double BEYOND_DELAYS = 10;

  private LoadJudge() {}

  /**
   * The longest that the client held anything up, in ns.
   *
   * @param hiccupNs overrun of a timed wait; null = not known
   * @param sendNs lateness of a send; null = not known, or delays add up as a send waits for the answer before it
   * @param receiveNs from an arrival, by the kernel's stamp, to the read; null = likewise
   */
  public record ClientDelays(@Nullable Long hiccupNs, @Nullable Long sendNs, @Nullable Long receiveNs) {
    /** Those of a load. Only what is published waits for no answer: on any other connection, one delay follows another. */
    public static ClientDelays of(Percentiles hiccups, LoadResult.Times times, Crowd crowd) {
      boolean published = crowd.deliveries().publishes() != null;
      return new ClientDelays(
          hiccups.maxNs(), published ? times.sendLateness().maxNs() : null, published ? times.receiveDelay().maxNs() : null);
    }

    /** The longest from the intended send to the read that is the client's own, in s; infinite where a part of it is null. */
    private double seconds() {
      return sendNs == null || receiveNs == null
          ? Double.POSITIVE_INFINITY
          : (sendNs + Math.max(receiveNs, Objects.requireNonNullElse(hiccupNs, 0L))) / 1e9;
    }
  }

  /**
   * What a load may show and still be valid. Messages name a bound as docs/study.schema.json does.
   *
   * @param achievedShareLeast echoes of the load completed within the steady state, of whatever phase, must reach this share of
   *     its schedule, 0-1, and replacements this share of the ends of churn; beyond it lies what a stall at its very end may
   *     hold back, which its response times show
   * @param lateShareMost share of the sends that may be late though their connection was free, 0-1: with more, what was not
   *     carried may be the client's fault, unless deliveries lack that are ten times those due within the client's longest delay
   * @param hiccupMostNs by how much a timed wait of the client may overrun
   */
  public record Bounds(double achievedShareLeast, double lateShareMost, long hiccupMostNs) {
    /** Those of a load outside of a study. */
    public static final Bounds DEFAULT = new Bounds(0.95, 0.01, 100_000_000);

    /**
     * Bounds for users in stages, without one on achieved load: how far a server falls behind is a figure of such a load, not a
     * fault.
     */
    public Bounds staged() {
      return new Bounds(0, lateShareMost, hiccupMostNs);
    }
  }

  /**
   * What speaks against a load; empty = nothing does, or there was no steady state.
   *
   * @param askedPerS messages per second that the client was asked to intend; 0 = users in stages decide it as they go
   * @param aside what was seen beside late sends, as the end of a sentence; empty = nothing
   */
  public static List<Reason> doubts(
      Pace pace, Messages messages, ClientDelays delays, Bounds bounds, double askedPerS, String aside) {
    List<Reason> doubts = new ArrayList<>();
    if (pace.steadySeconds() <= 0) {
      return doubts;
    }
    if (messages.scheduled() == 0 && askedPerS * pace.steadySeconds() <= BY_CHANCE_NONE) {
      add(doubts, ReasonCode.NOTHING_INTENDED, askedPerS == 0
          ? "no message was intended within the steady state of %.1f s".formatted(pace.steadySeconds())
          : "no message was intended within the steady state: %,.6g/s over %.1f s are %,.3g"
              .formatted(askedPerS, pace.steadySeconds(), askedPerS * pace.steadySeconds()));
      return doubts;
    }
    rate(pace.steadySeconds(), messages, bounds, askedPerS, doubts);
    // By itself lateness is no fault of a rung: server times leave it out. In a closed loop of users in stages it thins the load.
    boolean tells = askedPerS == 0 || ((!doubts.isEmpty() || messages.unanswered() > 0) && mayExplain(delays, pace, messages, doubts));
    double late = (double) messages.lateSends() / Math.max(1, messages.scheduled());
    if (tells && late > bounds.lateShareMost()) {
      add(doubts, ReasonCode.LATE_SENDS, "%,d of %,d sends were over 1 ms late though their connection was free, %s (late_share_most %s)%s"
          .formatted(messages.lateSends(), messages.scheduled(), percent(late), percent(bounds.lateShareMost()), aside));
    }
    Long hiccup = delays.hiccupNs();
    if (hiccup != null && hiccup > bounds.hiccupMostNs()) {
      add(doubts, ReasonCode.CLIENT_HICCUP, "a timed wait of the client overran by %.0f ms (hiccup_most %.0f ms)"
          .formatted(hiccup / 1e6, bounds.hiccupMostNs() / 1e6));
    }
    return doubts;
  }

  /**
   * Whether the client's delays may be why messages are missing. By a delay a client withholds at most the messages that were due
   * within it: they are sent, or read, after the steady state or after the drain in place of before.
   */
  private static boolean mayExplain(ClientDelays delays, Pace pace, Messages messages, List<Reason> doubts) {
    boolean few = doubts.stream().anyMatch(doubt -> doubt.reason() == ReasonCode.OFFERED_RATE_NOT_REACHED);
    long missing = Math.max(messages.unanswered(), few ? messages.scheduled() - messages.echoesInSteady() : 0);
    return missing <= BEYOND_DELAYS * delays.seconds() * messages.scheduled() / pace.steadySeconds();
  }

  /**
   * How far the last third of a steady state may be from the first.
   *
   * @param cpuShareMost of CPU per echo of the server: by which share of the greater of both they may differ, 0-1
   * @param p99ShareMost the same of the p99 of response times
   */
  public record DriftBounds(double cpuShareMost, double p99ShareMost) {
    /** Those of a load outside of a study. */
    public static final DriftBounds DEFAULT = new DriftBounds(0.2, 0.8);
  }

  /** What speaks against a load that had not settled; empty = nothing does, or too little is known. */
  public static List<Reason> drift(LoadResult.Drift drift, DriftBounds bounds) {
    List<Reason> doubts = new ArrayList<>();
    drift(doubts, "CPU per echo of the server", drift.serverCpuLastThirdMultipleOfFirst(), "cpu_drift_share_most", bounds.cpuShareMost());
    drift(doubts, "the response p99", drift.responseTimeP99LastThirdMultipleOfFirst(), "p99_drift_share_most", bounds.p99ShareMost());
    return doubts;
  }

  private static void drift(List<Reason> doubts, String what, @Nullable Double multiple, String key, double most) {
    if (multiple != null && 1 - Math.min(multiple, 1 / multiple) > most) {
      add(doubts, ReasonCode.DRIFT, "in the last third of the steady state %s was %.2f times that of the first (%s %s)"
          .formatted(what, multiple, key, percent(most)));
    }
  }

  private static void rate(double seconds, Messages messages, Bounds bounds, double askedPerS, List<Reason> doubts) {
    String least = percent(bounds.achievedShareLeast());
    double asked = askedPerS * seconds;
    if (messages.scheduled() < bounds.achievedShareLeast() * asked - DEVIATIONS * Math.sqrt(asked)) {
      add(doubts, ReasonCode.TOO_LITTLE_INTENDED,
          "the client intended %,d messages where %,.6g/s over %.1f s are %,.0f (achieved_share_least %s)"
          .formatted(messages.scheduled(), askedPerS, seconds, asked, least));
    }
    if (messages.scheduled() > 0) {
      achieved((double) messages.echoesInSteady(), (double) messages.scheduled(), bounds).ifPresent(doubts::add);
    }
  }

  /**
   * What speaks against the echoes of a steady state, by their number alone; empty = nothing does. Load tools that are not ours are
   * judged by it, too.
   *
   * @param intended by the schedule, over 0
   */
  public static Optional<Reason> achieved(double echoes, double intended, Bounds bounds) {
    double share = echoes / intended;
    return share >= bounds.achievedShareLeast()
        ? Optional.empty()
        : Optional.of(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "%,.0f echoes in a steady state that intended %,.0f, %s (achieved_share_least %s)"
                    .formatted(echoes, intended, percent(share), percent(bounds.achievedShareLeast()))));
  }

  /** What speaks against the connections that were to come and go; empty = nothing does, or none were to. */
  public static List<Reason> churn(Crowd crowd, Bounds bounds) {
    Long done = crowd.churned();
    Long failed = crowd.churnFailed();
    if (done == null || failed == null || failed == 0) {
      return List.of();
    }
    double share = (double) done / (done + failed);
    return share >= bounds.achievedShareLeast()
        ? List.of()
        : List.of(
            new Reason(
                ReasonCode.OFFERED_RATE_NOT_REACHED,
                "%,d connections were replaced in a steady state that was to replace %,d, %s (achieved_share_least %s)"
                    .formatted(done, done + failed, percent(share), percent(bounds.achievedShareLeast()))));
  }

  /**
   * What is said of a load that the user stopped: that, and none of what follows from it. Ctrl-C reaches all processes of a terminal, so
   * connections end, a client ends without a result, and messages stay unanswered. Wrong bytes are told all the same.
   *
   * @param stopped says that it was
   * @param others of the same load
   */
  public static List<Reason> ofStopped(Reason stopped, List<Reason> others) {
    return Stream.concat(Stream.of(stopped), others.stream().filter(other -> other.reason() == ReasonCode.ECHO_MISMATCH)).toList();
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }

  /** A share as messages show it: 0.0123 is {@code 1.23 %}. */
  public static String percent(double share) {
    return "%.2f %%".formatted(share * 100);
  }
}
