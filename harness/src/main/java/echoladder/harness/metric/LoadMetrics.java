package echoladder.harness.metric;

import static echoladder.harness.metric.Better.HIGHER;
import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;

import echoladder.client.LoadResult;
import echoladder.client.figures.Stamps;
import echoladder.harness.lab.Quotable;
import java.util.List;

/** What the client measures: the figures of {@code load --json}. */
public final class LoadMetrics {
  private static final Rows FAILURES = Rows.of(Quotable.FAILURE_MODES, LOWER);
  private static final Rows LIMITS = FAILURES.with(Quotable.LIMITS, HIGHER);
  private static final Rows DONE = FAILURES.with(Quotable.LIMITS, NEITHER);
  private static final Rows RATES = FAILURES.with(Quotable.TIMES, HIGHER);
  private static final Rows TIMES = FAILURES.with(Quotable.TIMES, LOWER);
  private static final Rows CPU = FAILURES.with(Quotable.CPU, LOWER);
  private static final Rows MEMORY = FAILURES.with(Quotable.MEMORY, LOWER);

  static {
    DONE.load("connections_requested", Words.of("connections requested", "connections that the plan asked for"),
        load -> load.connections().requested());
  }

  public static final Metric ESTABLISHED =
      LIMITS.load(
          "connections_established",
          Words.of("connections established", "connections that have had at least one verified echo"),
          load -> load.connections().established());

  static {
    FAILURES.load(
        "connections_refused", Words.of("connections refused", "connects answered with RST (ECONNREFUSED)"),
        load -> load.connections().refused());
    FAILURES.load(
        "connections_timed_out",
        Words.of("connections timed out", "connects without verified echo within the connect timeout"),
        load -> load.connections().timedOut());
    FAILURES.load(
        "connections_lost",
        Words.of(
            "connections lost",
            "established connections that the server ended, by FIN or its protocol, before the end, or that churn could not replace"),
        load -> load.connections().lost());
    FAILURES.load(
        "connections_reset",
        Words.of("connections reset", "established connections that ended with an error such as ECONNRESET"),
        load -> load.connections().reset());
    FAILURES.loadIfKnown(
        "connections_dropped",
        Words.of(
            "connections dropped",
            "established connections that the client gave up, as what came on them was not the answer; null from load tools of others and"
                + " in older runs, whose connections_lost has them"),
        load -> load.connections().dropped());
    LIMITS.loadIfKnown(
        "connections_held",
        Words.of(
            "connections held",
            "established connections that answered one more echo after the hold, the roll call; null where none was made (users in"
                + " stages, load tools of others)"),
        load -> load.connections().held());
  }

  public static final Metric OFFERED =
      RATES.with(Quotable.TIMES, NEITHER)
          .load(
              "offered_per_s",
              Words.of("offered per s", "the schedule's rate over the steady state, messages per second"),
              load -> load.pace().offeredPerS());

  public static final Metric ACHIEVED =
      RATES.load(
          "achieved_per_s",
          Words.of(
                  "achieved per s",
                  "echoes of the load completed within the steady state, of whatever phase, per second of it: what was carried")
              .title("Requests per second"),
          load -> load.pace().achievedPerS());

  static {
    DONE.load("steady_seconds", Words.of("steady state", "length of the steady state"), load -> load.pace().steadySeconds());
    DONE.load("warm_up_seconds", Words.of("warm-up", "length of the warm-up"), load -> load.pace().warmUpSeconds());
    DONE.load(
        "ramp_seconds", Words.of("ramp", "from the first connect to the last verified or failed one"), load -> load.pace().rampSeconds());
    RATES.load(
        "connects_per_s",
        Words.of("connects per s", "established connections per second of the ramp, each verified by an echo"),
        load -> load.pace().connectsPerS());
    DONE.load("scheduled", Words.of("scheduled", "messages intended in the steady state"), load -> load.messages().scheduled());
    DONE.load("sent", Words.of("sent", "messages intended in the steady state and written to a socket completely"),
        load -> load.messages().sent());
    DONE.load("answered", Words.of("answered", "messages intended in the steady state and echoed completely and rightly"),
        load -> load.messages().answered());
    FAILURES.load(
        "unanswered",
        Words.of("unanswered", "messages intended in the steady state without complete echo at the end, on connections still open"),
        load -> load.messages().unanswered());
    FAILURES.load(
        "failed", Words.of("failed", "messages intended in the steady state on connections that were lost or never established"),
        load -> load.messages().failed());
    FAILURES.load(
        "echo_mismatches",
        Words.of("echo mismatches", "messages, of any phase, of which an echoed byte was wrong"),
        load -> load.messages().echoMismatches());
    TIMES.load(
        "late_sends",
        Words.of("late sends", "sends that were later than the client's bound although their connection was free"),
        load -> load.messages().lateSends());
    DONE.load(
        "echoes_in_steady",
        Words.of(
            "echoes in steady state",
            "echoes of the load completed between the beginning and the end of the steady state, of whatever phase: the divisor of"
                + " CPU per echo; the first echo of a connection that churn opened is none of them"),
        load -> load.messages().echoesInSteady());
  }

  public static final Times HICCUP =
      Times.of(
          TIMES, "hiccup", "client hiccup", "Hiccups of the client", "by how much the client's timed waits overran", false,
          load -> load.hiccup());

  static {
    FAILURES.load(
        "histogram_overflows",
        Words.of("histogram overflows", "recorded values beyond the histograms' 1 h, counted at 1 h"),
        load -> load.histogramOverflows());
  }

  public static final Metric CLIENT_CPU =
      CPU.loadIfKnown(
          "client_cpu_us_per_echo",
          Words.of("client CPU per echo",
              "CPU of all client processes over the steady state, per echo; null where the client polled (spin)"),
          load -> load.cost().clientCpuUsPerEcho());

  static {
    DONE.loadIfKnown(
        "client_cpu_seconds",
        Words.of("client CPU", "CPU of all client processes over the steady state, what they spent on polling included"),
        load -> load.cost().clientCpuSeconds());
  }

  public static final Metric SERVER_CPU =
      CPU.loadIfKnown(
          "server_cpu_us_per_echo",
          Words.of(
                  "server CPU per echo",
                  "CPU of the server over the steady state, per echo; null where it is not ours to see, or none was counted")
              .brief("CPU/echo"),
          load -> load.cost().serverCpuUsPerEcho());

  public static final Metric CLIENT_RSS =
      MEMORY.loadIfKnown(
          "client_rss_bytes", Words.of("client RSS", "RSS of all client processes at the end of the steady state"),
          load -> load.cost().clientRssBytes());

  public static final Metric SERVER_RSS =
      MEMORY.loadIfKnown(
          "server_rss_bytes",
          Words.of("server RSS", "RSS of the server at the end of the steady state").title("Resident memory of the server"),
          load -> load.cost().serverRssBytes());

  public static final Metric CLIENT_GC_PAUSE =
      TIMES.loadIfKnown(
          "client_gc_pause_max_ns",
          Words.of("longest collection of the client", "longest pause of a collector in the client during the steady state"),
          load -> load.condition().clientGcPauseMaxNs());

  static {
    MEMORY.loadIfKnown(
        "client_allocated_bytes_per_echo",
        Words.of(
            "client heap per echo", "Java heap that the client's event loops allocated per echo of the steady state"),
        load -> load.condition().clientAllocatedBytesPerEcho());
    MEMORY.loadIfKnown(
        "client_bytes_per_connection",
        Words.of("client arrays per connection", "sum of the client's own arrays per connection"),
        load -> load.condition().clientBytesPerConnection());
    DONE.load("shards", Words.of("shards", "client processes used"), load -> load.condition().shards());
    DONE.load("loops", Words.of("loops", "event loops over all shards"), load -> load.condition().loops());
    DONE.loadIfKnown(
        "service_time_coverage_connections",
        Words.of(
            "coverage of service times",
            "connections that service times were taken from, where a load tool looks at some only; null where it covers all"),
        LoadResult::serviceTimeCoverageConnections);
  }

  static {
    CPU.with(Quotable.CPU, NEITHER)
        .loadIfKnown(
            "server_cpu_last_third_multiple_of_first",
            Words.of(
                "drift of server CPU",
                "server CPU per echo of the last third of the steady state as a multiple of that of the first; null where a third is"
                    + " below 2 s or 10,000 echoes"),
            load -> load.drift().serverCpuLastThirdMultipleOfFirst());
    TIMES.with(Quotable.TIMES, NEITHER)
        .loadIfKnown(
            "response_time_p99_last_third_multiple_of_first",
            Words.of(
                "drift of response p99",
                "response p99 of the last third of the steady state as a multiple of that of the first; null where a third is below"
                    + " 2 s or 2,000 echoes"),
            load -> load.drift().responseTimeP99LastThirdMultipleOfFirst());
  }

  static {
    Times.of(
        TIMES, "connect_time", "connect", "Connect time", "TCP connection made − intended connect", false,
        load -> load.times().connect());
  }

  public static final Times FIRST_ECHO =
      Times.of(
          TIMES, "first_echo_time", "first echo", "Time to the first echo", "first verified echo − intended connect", false,
          load -> load.times().firstEcho());

  public static final Times RESPONSE =
      Times.of(
          TIMES, "response_time", "response", "Response time",
          "last echoed byte − intended send; the unanswered are recorded at their age", true, load -> load.times().response());

  /** What is the client's lateness in the percentiles of the response time. */
  static final PercentileShares LATE_SHARES =
      PercentileShares.of(
          at ->
              FAILURES.with(Quotable.TIMES, LOWER)
                  .loadIfKnown(
                      "response_time_%s_late_share".formatted(at.id()),
                      Words.of(
                          "late share of response " + at.brief(),
                          "of the messages beyond response %s, the part that would not be there but for send lateness, 0 to 1"
                              .formatted(at.brief())),
                      load -> at.of(load.times().lateShares())));

  /** The response p99 of messages sent on time: what a capacity search asks above its bound. */
  public static final Metric ON_TIME_P99 =
      TIMES.loadIfKnown(
          "response_time_less_lateness_p99_ns",
          Words.of(
              "response p99 less lateness",
              "the p99 that the response time had been had the client sent on time: of response time less lateness"),
          load -> load.times().lateShares() == null ? null : load.times().lateShares().lessLatenessP99Ns());

  public static final Times SEND_LATENESS =
      Times.of(
          TIMES, "send_lateness", "send lateness", "Lateness of sends",
          "actual send − the intended one, or − the arrival of the answer that it waited for where that is later", false,
          load -> load.times().sendLateness());

  public static final Times SERVICE =
      Times.of(
          TIMES, "service_time", "service", "Service time", "last echoed byte − actual send", false, load -> load.times().service());

  public static final Times SERVER_TIME =
      Times.of(
          TIMES, "server_time", "server time", "Server time",
          "arrival of the last echoed byte by the kernel's stamp − actual send, and the wait before it for an earlier answer on the"
              + " connection; the unanswered are recorded at their age; null where stamped_share is below "
              + Stamps.SHARE_LEAST,
          true, load -> load.times().server());

  public static final Times RECEIVE_DELAY =
      Times.of(
          TIMES, "receive_delay", "receive delay", "Delay of reads",
          "the client's read of the last echoed byte − its arrival by the kernel's stamp", false, load -> load.times().receiveDelay());

  static {
    Rows stamps = FAILURES.with(Quotable.TIMES, HIGHER);
    stamps.loadIfKnown(
        "stamped_share",
        Words.of(
            "share with a stamp",
            "of the steady state's right answers, the part whose arrival has a usable stamp of the kernel, 0 to 1; null without stamps"),
        load -> load.times().stamps().stampedShare());
    stamps.with(Quotable.TIMES, LOWER).loadIfKnown(
        "stamps_shared",
        Words.of("shared stamps", "answers whose stamp is an upper bound, as the same read brought a later answer too"),
        load -> load.times().stamps().stampsShared());
    stamps.with(Quotable.TIMES, LOWER).loadIfKnown(
        "stamps_dropped",
        Words.of(
            "stamps not used",
            "answers whose stamp was not used: the realtime clock stepped, or its offset was not known closely enough"),
        load -> load.times().stamps().stampsDropped());
  }

  private LoadMetrics() {}

  /** In the order of run.json. */
  static List<Metric> all() {
    return FAILURES.all();
  }
}
