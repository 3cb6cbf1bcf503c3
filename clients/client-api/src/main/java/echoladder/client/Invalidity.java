package echoladder.client;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Every way in which a measurement can fail to be one. Closed: whoever judges picks from here, and each constant has
 * the symptom page {@code runbooks/symptoms/<id>.md}.
 */
public enum Invalidity {
  /** Fewer connections had a verified echo than were asked for. */
  CONNECTIONS_MISSING,
  /** Connections that were established ended before the load did. */
  CONNECTIONS_LOST,
  /** An echoed byte was not the byte that was sent. */
  ECHO_MISMATCH,
  /** Messages of the steady state had no complete echo when the drain ended. */
  UNANSWERED,
  /** The echoes of the steady state fell short of its schedule. */
  OFFERED_RATE_NOT_REACHED,
  /** The client sent too much too late by its own fault: its times are about itself. */
  LATE_SENDS,
  /** A load tool held sends back while the server was slow, and their wait is in none of its times. */
  COORDINATED_OMISSION,
  /** A load tool's times cannot be true of all connections: they contradict what was counted beside them. */
  TIMES_CONTRADICTED,
  /** A load tool's calibration did not end, or threw away what was far slower than what it kept. */
  CALIBRATION_SWALLOWED,
  /** The server answered with an HTTP status of failure. */
  ERROR_RESPONSES,
  /** The client stood still for longer than the run allows. */
  CLIENT_HICCUP,
  /** The client process ended before it gave a result. */
  CLIENT_DIED,
  /** The server did not get ready, or failed the first echo that the harness itself asks for. */
  SERVER_NOT_READY,
  /** The server process ended during the rung. */
  SERVER_DIED,
  /** The server's metrics page or its forced collection did not answer although its process ran. */
  METRICS_UNREACHABLE,
  /** The metrics page of an attached server did not tell of the load of this run alone, on one process throughout. */
  SERVER_MISMATCH,
  /** Client and server together left the host almost no idle CPU. */
  HOST_SATURATED,
  /** CPU was taken by others (steal, foreign processes) beyond the run's bound. */
  HOST_TOO_NOISY,
  /** A sysctl or limit differed between the beginning and the end of the rung. */
  SETTING_CHANGED,
  /** A socket option that the method relies on (TCP_NODELAY) did not hold. */
  OPTION_NOT_HELD,
  /** The warm-up ended at its time bound, with compilers still busy or too few echoes. */
  WARM_UP_INCOMPLETE,
  /** The run was stopped (Ctrl-C, SIGTERM) before the rung was complete. */
  INTERRUPTED;

  /** The name used in files and as the name of the symptom page: lower case, words joined by {@code -}. */
  @JsonValue
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Whether it tells against times, rates and CPU alone, so that connections, bytes of memory and limits hold all the same.
   */
  public boolean ofTimeAlone() {
    return switch (this) {
      case OFFERED_RATE_NOT_REACHED, LATE_SENDS, COORDINATED_OMISSION, TIMES_CONTRADICTED, CALIBRATION_SWALLOWED,
          CLIENT_HICCUP, HOST_SATURATED, HOST_TOO_NOISY, WARM_UP_INCOMPLETE ->
          true;
      case CONNECTIONS_MISSING, CONNECTIONS_LOST, ECHO_MISMATCH, UNANSWERED, ERROR_RESPONSES, CLIENT_DIED,
          SERVER_NOT_READY, SERVER_DIED, METRICS_UNREACHABLE, SERVER_MISMATCH, SETTING_CHANGED, OPTION_NOT_HELD,
          INTERRUPTED ->
          false;
    };
  }

  /** The constant with this {@link #id()}; an unknown id is an {@link IllegalArgumentException}. */
  @JsonCreator
  public static Invalidity ofId(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
