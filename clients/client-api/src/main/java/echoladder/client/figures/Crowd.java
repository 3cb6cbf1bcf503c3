package echoladder.client.figures;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a load showed whose connections act at once. Each event loop of the client gives the times of its own part of a burst.
 *
 * @param bursts of the steady state, those of which every message was answered or given up; null with another schedule
 * @param burstSend last send of a burst on a connection that was free − the burst's instant: the client's own time
 * @param burstAnswer last answer to a burst − its instant
 * @param burstBacklog last answer to a burst − its last send on a connection that was free: what the server still owed
 * @param churned connections ended in the steady state by churn, and replaced by one with a verified echo; null without churn
 * @param churnFailed ends of churn in the steady state that led to no replacement: it failed, or no connection was open to be ended
 * @param reconnect first verified echo of a connection opened anew − its intended end by churn, or the loss by a storm
 * @param storm null without one
 * @param deliveries of messages that were published
 * @param slow connections that do not read
 * @param tls handshakes of its connections
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Crowd(
    @Nullable Long bursts,
    @JsonUnwrapped(prefix = "burst_send_time_") Percentiles burstSend,
    @JsonUnwrapped(prefix = "burst_answer_time_") Percentiles burstAnswer,
    @JsonUnwrapped(prefix = "burst_backlog_time_") Percentiles burstBacklog,
    @Nullable Long churned,
    @Nullable Long churnFailed,
    @JsonUnwrapped(prefix = "reconnect_time_") Percentiles reconnect,
    @JsonUnwrapped(prefix = "storm_") Reconnects storm,
    @JsonUnwrapped Deliveries deliveries,
    @JsonUnwrapped SlowReaderFigures slow,
    @JsonUnwrapped(prefix = "tls_") Handshakes tls) {
  /** What a load shows whose connections neither act at once nor come and go: nothing. */
  public static final Crowd NONE =
      new Crowd(
          null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE, null, null, Percentiles.NONE, Reconnects.NONE, Deliveries.NONE,
          SlowReaderFigures.NONE, Handshakes.NONE);

  /**
   * What became of connections that a restart of the server ended; all null without one.
   *
   * @param lost connections that ended
   * @param back of those, opened again with a verified echo
   * @param tries connects
   * @param refused tries answered with RST
   * @param broken tries that the server ended before the first echo, by FIN or RST
   * @param timedOut tries without verified echo within the connect timeout
   * @param otherFailures tries that failed otherwise, as for want of a port
   * @param seconds from the beginning of the phase to the last verified echo
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Reconnects(
      @Nullable Long lost,
      @Nullable Long back,
      @Nullable Long tries,
      @Nullable Long refused,
      @Nullable Long broken,
      @Nullable Long timedOut,
      @Nullable Long otherFailures,
      @Nullable Double seconds) {
    /** There was no storm. */
    public static final Reconnects NONE = new Reconnects(null, null, null, null, null, null, null, null);
  }
}
