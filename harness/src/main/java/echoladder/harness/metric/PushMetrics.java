package echoladder.harness.metric;

import static echoladder.harness.metric.Better.HIGHER;
import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;

import echoladder.client.LoadResult;
import echoladder.harness.lab.Quotable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the client measures of messages that a server pushes: figures of {@link echoladder.client.figures.Deliveries}, null without. */
public final class PushMetrics {
  private static final Rows TIMES = Rows.of(Quotable.TIMES, LOWER);
  private static final Rows COUNTS = TIMES.with(Quotable.LIMITS, NEITHER);
  private static final Rows FAILURES = TIMES.with(Quotable.FAILURE_MODES, LOWER);
  private static final Rows MEASURED = Rows.of(Quotable.CPU, LOWER);

  static {
    COUNTS.loadIfKnown(
        "publishes", Words.of("publishes", "messages intended to be published in the steady state"),
        load -> load.crowd().deliveries().publishes());
    COUNTS.loadIfKnown(
        "deliveries_due",
        Words.of("deliveries due", "deliveries that the publishes of the steady state come to, one for each subscriber of the topic"),
        load -> load.crowd().deliveries().deliveriesDue());
    COUNTS.loadIfKnown(
        "deliveries_done", Words.of("deliveries", "of those, deliveries that came complete and right"),
        load -> load.crowd().deliveries().deliveriesDone());
  }

  public static final Metric REACH =
      MEASURED.with(Quotable.LIMITS, HIGHER)
          .probed(
              "reach_share", Words.of("reach", "`deliveries_done` as a share of `deliveries_due`, 0 to 1"),
              r -> r.load().crowd().deliveries().reach());

  public static final Metric PER_S =
      MEASURED.with(Quotable.TIMES, HIGHER)
          .probed(
              "deliveries_per_s",
              Words.of("deliveries per s", "right deliveries within the steady state, of whatever phase, per second of it"),
              r -> pushed(r, r.load().pace().achievedPerS()));

  public static final Times DELIVERY =
      Times.of(
          TIMES, "delivery_time", "delivery", "Time to deliver a message",
          "arrival of a delivery's last byte by the kernel's stamp − intended publish; what never came is recorded at its age", true,
          load -> load.crowd().deliveries().time());

  public static final Times FIRST =
      Times.of(
          TIMES, "first_delivery", "first", "Time to the first delivery",
          "arrival of the first delivery of a message − its intended publish", true, load -> load.crowd().deliveries().first());

  public static final Times LAST =
      Times.of(
          TIMES, "last_delivery", "last", "Time until everybody has the message",
          "arrival of the last delivery of a message − its intended publish; its age where somebody never got it", true,
          load -> load.crowd().deliveries().last());

  static {
    FAILURES.loadIfKnown(
        "deliveries_missing",
        Words.of("deliveries missing", "deliveries, of any phase, that never came although a later message of their topic did"),
        load -> load.crowd().deliveries().deliveriesMissing());
    FAILURES.loadIfKnown(
        "deliveries_duplicate", Words.of("deliveries twice", "deliveries, of any phase, that had come before"),
        load -> load.crowd().deliveries().deliveriesDuplicate());
    FAILURES.loadIfKnown(
        "deliveries_out_of_order",
        Words.of("deliveries out of order", "deliveries, of any phase, that came after a later message of their topic"),
        load -> load.crowd().deliveries().deliveriesOutOfOrder());
    FAILURES.loadIfKnown(
        "deliveries_mixed",
        Words.of("deliveries mixed up", "messages, of any phase, of a topic that the connection had not subscribed to"),
        load -> load.crowd().deliveries().deliveriesMixed());
    FAILURES.loadIfKnown(
        "audiences_differ",
        Words.of("audiences that differ", "publishes, of any phase, that the server says it handed to another number than subscribed"),
        load -> load.crowd().deliveries().audiencesDiffer());
  }

  public static final Metric SERVER_CPU =
      MEASURED.probed(
          "server_cpu_us_per_delivery",
          Words.of("server CPU per delivery", "CPU of the server over the steady state, per delivery").brief("CPU/dlv"),
          r -> pushed(r, r.load().cost().serverCpuUsPerEcho()));

  public static final Metric HOST_CPU =
      MEASURED.probed(
          "host_cpu_us_per_delivery",
          Words.of("host CPU per delivery", "all CPU of the host that was not idle, per delivery; null where the client polled (spin)"),
          r -> r.load().placement().spins() ? null : pushed(r, r.hostUsPerEcho()));

  private PushMetrics() {}

  /** Whether it was a load that publishes: what is counted as an echo elsewhere is a delivery then. */
  public static boolean isPush(LoadResult load) {
    return load.crowd().deliveries().publishes() != null;
  }

  /** A figure of a load that publishes; null of another one. */
  private static @Nullable Double pushed(RungReadings readings, @Nullable Double figure) {
    return isPush(readings.load()) ? figure : null;
  }

  /** Those of the client, in the order of run.json. */
  static List<Metric> ofLoad() {
    return TIMES.all();
  }

  /** Those that the harness adds, likewise. */
  static List<Metric> probed() {
    return MEASURED.all();
  }
}
