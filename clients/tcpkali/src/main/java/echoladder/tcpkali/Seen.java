package echoladder.tcpkali;

import org.jspecify.annotations.Nullable;

/**
 * What a load showed over a span: the steady state as followed by statsd, or, where there is nothing but the report,
 * the time since the ramp.
 *
 * @param seconds length of the span
 * @param sentBytes written in it
 * @param receivedBytes read in it
 * @param typicalInFlightBytes written and not read at an ordinary moment of it
 * @param lastInFlightBytes written and not read at its end
 * @param backlogSeconds by how much the sends fell behind their schedule at the worst; null where nobody followed them
 * @param serverSentBytes what the server says it sent in the span; null where it was not asked
 * @param message times of messages
 */
record Seen(
    double seconds,
    double sentBytes,
    double receivedBytes,
    double typicalInFlightBytes,
    double lastInFlightBytes,
    @Nullable Double backlogSeconds,
    @Nullable Long serverSentBytes,
    Times message) {

  /** From the report alone: the moment of its end is all there is of what was under way. */
  static Seen of(TcpkaliReport report) {
    double inFlight = Math.max(0, report.sentBytes() - report.receivedBytes());
    return new Seen(
        report.seconds(),
        report.sentBytes(),
        report.receivedBytes(),
        inFlight,
        inFlight,
        null,
        null,
        report.message());
  }
}
