package echoladder.client;

import echoladder.client.schedule.BurstSchedule;
import echoladder.client.schedule.Bursts;
import echoladder.client.schedule.ConstantSchedule;
import echoladder.client.schedule.JitteredSchedule;
import echoladder.client.schedule.PoissonSchedule;
import echoladder.client.schedule.RampedSchedule;
import echoladder.client.schedule.SendSchedule;
import echoladder.client.schedule.Slice;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How the intended send times are spread. Over a steady state each schedule intends the rate, so that loads of two schedules differ in
 * nothing but the spread. A schedule is its row here and its class; study keys, help, schemas and METHOD.md read the row.
 */
public enum Schedule {
  /** Each connection sends every {@code connections / rate} seconds, from a random phase of its own. */
  CONSTANT(
      "each connection sends every connections / rate, from a phase of its own, which a hash of seed and connection draws",
      (slice, asked) -> new ConstantSchedule(slice, asked.ratePerSecond(), asked.seed())),
  /** Each connection sends once in every {@code connections / rate} seconds, at a time within them drawn anew each time. */
  JITTERED(
      "each connection sends once in every connections / rate, at a time within it that is drawn anew each time, uniformly",
      (slice, asked) -> new JitteredSchedule(slice, asked.ratePerSecond(), asked.seed())),
  /** One Poisson process at the total rate; the connection of each send is drawn uniformly. */
  POISSON(
      "one Poisson process at the total rate, and the connection of each send is drawn uniformly; several loops run one each at their"
          + " share of the rate, which add up to one",
      (slice, asked) -> new PoissonSchedule(slice, asked.ratePerSecond(), asked.seed())),
  /** Each connection's rate rises in a straight line over the steady state, from a fifth of {@code rate / connections} to nine fifths. */
  RAMPED(
      "over the steady state each connection's rate rises in a straight line, from a fifth of its mean to nine fifths: what a constant"
          + " schedule intends u after the beginning is intended T / 8 x (sqrt(1 + 80 u / T) - 1) after it, where T is the length, so both"
          + " intend the same number; the warm-up goes by the mean",
      (slice, asked) -> new RampedSchedule(slice, asked.ratePerSecond(), asked.seed(), asked.steadyNs())) {
    @Override
    public boolean level() {
      return false;
    }
  },
  /** Every connection that sends is due in the same instant, once every {@code connections / rate} seconds. */
  BURST(
      "every connection that sends is due in the same instant, once every connections / rate; the steady state is rounded up to whole"
          + " periods",
      (slice, asked) -> new BurstSchedule(slice, asked.ratePerSecond(), asked.seed())) {
    @Override
    public String label() {
      return "burst (all at once)";
    }

    @Override
    public boolean atOnce() {
      return true;
    }

    @Override
    public long leastPeriodNs() {
      return Bursts.LEAST_PERIOD_NS;
    }

    @Override
    public Duration steady(Duration asked, long periodNs) {
      return Bursts.whole(asked, periodNs);
    }

    @Override
    public long steadyStart(long earliestNs, long scheduleStartNs, long periodNs) {
      return BurstSchedule.between(earliestNs, scheduleStartNs, periodNs);
    }
  };

  /**
   * What the intended sends follow from, beside the connections.
   *
   * @param ratePerSecond of the whole load, on average over the steady state
   * @param steadyNs how long the steady state lasts
   */
  public record Asked(double ratePerSecond, long seed, long steadyNs) {}

  /** Makes the intended sends of one event loop. */
  private interface Maker {
    SendSchedule make(Slice slice, Asked asked);
  }

  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // A constructor's call, which keeps nothing.
  private final Maker maker;

  Schedule(String meaning, Maker maker) {
    this.meaning = meaning;
    this.maker = maker;
  }

  /** As in study.yaml, on the command line and in results. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What is intended, in one sentence without its end; "connections" are those that send. */
  public String meaning() {
    return meaning;
  }

  /** As in reports. */
  public String label() {
    return id();
  }

  /** The intended sends of one event loop's connections. */
  public SendSchedule sends(Slice slice, Asked asked) {
    return maker.make(slice, asked);
  }

  /** Whether all connections are due in one instant, so that there are figures of each such burst. */
  public boolean atOnce() {
    return false;
  }

  /** Whether the last third of a steady state intends as much as the first, so that a difference between both is a drift. */
  public boolean level() {
    return true;
  }

  /** The least {@code connections / rate} that it may have; 0 = any. */
  public long leastPeriodNs() {
    return 0;
  }

  /**
   * How long a steady state lasts.
   *
   * @param asked at least so long
   * @param periodNs connections that send over the rate
   */
  public Duration steady(Duration asked, long periodNs) {
    return asked;
  }

  /** The first moment from {@code earliestNs} on at which a steady state may begin, on the clock by which the schedule started. */
  public long steadyStart(long earliestNs, long scheduleStartNs, long periodNs) {
    return earliestNs;
  }

  /** The one of that id; another id is an {@link IllegalArgumentException} that names all. */
  public static Schedule ofId(String id) {
    return Arrays.stream(values())
        .filter(schedule -> schedule.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is none of %s".formatted(id, Arrays.stream(values()).map(Schedule::id).collect(Collectors.joining(", ")))));
  }
}
