package echoladder.harness.metric;

import static echoladder.harness.metric.Better.HIGHER;
import static echoladder.harness.metric.Better.LOWER;
import static echoladder.harness.metric.Better.NEITHER;

import echoladder.client.figures.SlowReaderFigures;
import echoladder.harness.lab.Quotable;
import echoladder.harness.probe.Figure;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connections that do not read, what a server holds for them and what becomes of them; all null where every connection reads. */
public final class SlowReaderMetrics {
  private static final double GIB = 1L << 30;

  private static final Rows TIMES = Rows.of(Quotable.TIMES, LOWER);
  private static final Rows COUNTS = TIMES.with(Quotable.LIMITS, NEITHER);
  private static final Rows BYTES = TIMES.with(Quotable.MEMORY, NEITHER);
  private static final Rows MEASURED = Rows.of(Quotable.MEMORY, LOWER);

  static {
    count(
        COUNTS, "slow_readers", "slow readers",
        "connections that read nothing, or at most the rate of slow_readers, from the beginning of the steady state on; null without",
        SlowReaderFigures::slowReaders);
  }

  public static final Metric ENDED =
      count(
          COUNTS, "slow_readers_ended", "slow readers ended", "of the slow readers, connections that the server ended",
          SlowReaderFigures::slowReadersEnded);

  public static final Metric OPEN =
      count(
          COUNTS, "slow_readers_open", "slow readers open", "of the slow readers, connections that were open when the steady state ended",
          SlowReaderFigures::slowReadersOpen);

  static {
    count(
        BYTES, "slow_readers_owed_bytes", "owed to slow readers",
        "messages that were due to slow readers: published in the steady state, or to be sent by them from its beginning on",
        SlowReaderFigures::slowReadersOwedBytes);
    count(
        BYTES, "slow_readers_sent_bytes", "sent by slow readers",
        "what slow readers sent from the beginning of the steady state on: less than is owed where the server stopped to read; null with"
            + " publish",
        SlowReaderFigures::slowReadersSentBytes);
    count(
        BYTES, "slow_readers_read_bytes", "read by slow readers", "what slow readers read from the beginning of the steady state on",
        SlowReaderFigures::slowReadersReadBytes);
    count(
        BYTES, "slow_readers_client_bytes", "client's end of slow readers",
        "memory in TCP queues at the client's end of the slow readers that were open when the steady state ended",
        SlowReaderFigures::slowReadersClientBytes);
  }

  public static final Times READER_ENDED =
      Times.of(
          TIMES, "slow_reader_ended", "slow reader ended", "Time until a slow reader is ended",
          "end of a slow reader's connection by the server − beginning of the steady state", false, load -> load.crowd().slow().ended());

  public static final Metric RSS_GROWN =
      MEASURED.difference(
          "slow_readers_server_rss_bytes",
          Words.of("RSS for slow readers", "growth of the server's RSS over a steady state in which some connections do not read"),
          r -> slow(r, r.grown(Figure.SERVER_RSS_BYTES)));

  public static final Metric BUFFERS_GROWN =
      MEASURED.difference(
          "slow_readers_tcp_buffers_bytes",
          Words.of(
              "TCP buffers for slow readers",
              "growth of the memory in TCP queues of the whole host, both ends, over a steady state in which some connections do not read"),
          r -> slow(r, r.grown(Figure.TCP_BUFFERS_BYTES)));

  public static final Metric HELD =
      MEASURED.difference(
          "slow_reader_held_bytes",
          Words.of(
              "held per slow reader",
              "`slow_readers_server_rss_bytes` and `slow_readers_tcp_buffers_bytes` without `slow_readers_client_bytes`, over"
                  + " `slow_readers_open`; null where none is open, or the server is on another host"),
          SlowReaderMetrics::held);

  public static final Metric IN_GIB =
      MEASURED.with(Quotable.MEMORY, HIGHER)
          .probed(
              "slow_readers_in_gib",
              Words.of(
                  "slow readers in 1 GiB",
                  "(1 GiB − the server's RSS at the beginning of the steady state) / `slow_reader_held_bytes`, rounded down; null where"
                      + " nothing is held"),
              SlowReaderMetrics::inGib);

  private SlowReaderMetrics() {}

  private static Metric count(
      Rows rows, String name, String brief, String meaning, Function<SlowReaderFigures, @Nullable Long> formula) {
    return rows.loadIfKnown(name, Words.of(brief, meaning), load -> formula.apply(load.crowd().slow()));
  }

  private static @Nullable Double slow(RungReadings readings, @Nullable Double figure) {
    return readings.load().crowd().slow().slowReaders() == null ? null : figure;
  }

  private static @Nullable Double held(RungReadings r) {
    SlowReaderFigures slow = r.load().crowd().slow();
    Long open = slow.slowReadersOpen();
    Long client = slow.slowReadersClientBytes();
    Double rss = r.grown(Figure.SERVER_RSS_BYTES);
    Double queues = r.grown(Figure.TCP_BUFFERS_BYTES);
    return open == null || open == 0 || client == null || rss == null || queues == null || r.elsewhere()
        ? null
        : (Double) ((rss + queues - (r.clientsAfar() ? 0 : client)) / open);
  }

  private static @Nullable Double inGib(RungReadings r) {
    Double held = held(r);
    Long atEnd = r.atEnd(Figure.SERVER_RSS_BYTES);
    Double grown = r.grown(Figure.SERVER_RSS_BYTES);
    return held == null || held <= 0 || atEnd == null || grown == null
        ? null
        : (Double) Math.max(0, Math.floor((GIB - (atEnd - grown)) / held));
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
