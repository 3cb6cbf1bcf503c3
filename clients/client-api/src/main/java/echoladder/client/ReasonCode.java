package echoladder.client;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Set;

/**
 * Every reason why a measurement is not valid. The list is closed: whoever judges picks from here. A row says whose fault it
 * is and what follows from it; its symptom page is {@code runbooks/symptoms/<id>.md}.
 */
public enum ReasonCode {
  /** Fewer connections had a verified echo than were asked for. */
  CONNECTIONS_MISSING(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.OF_A_LIMIT),
  /** No connection had an echo: connections were made, and nothing came back on any of them. */
  SERVER_SILENT(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.SPOILS),
  /** No connection had an echo: answers began that had no end. */
  ANSWER_WITHOUT_END(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.SPOILS),
  /** Connections that were established ended before the load did. */
  CONNECTIONS_LOST(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.OF_A_LIMIT),
  /** Connections that were still open did not answer one more echo at the end, the roll call. */
  CONNECTIONS_SILENT(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.BY_LATENESS, Trait.OF_A_LIMIT),
  /** An echoed byte was not the byte that was sent. */
  ECHO_MISMATCH(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.SPOILS),
  /** A subscriber never got a message although a later one of its topic came. */
  DELIVERIES_MISSING(Blame.SERVER, ClimbEffect.NOT_HELD),
  /** A message came twice, out of order, or to a connection that had not subscribed to its topic. */
  DELIVERIES_MIXED(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.SPOILS),
  /** The server says that it handed a message to another number of subscribers than there were. */
  AUDIENCES_DIFFER(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.SPOILS),
  /** Messages of the steady state had no complete echo when the drain ended. */
  UNANSWERED(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.BY_LATENESS),
  /** The echoes of the steady state fell short of its schedule. */
  OFFERED_RATE_NOT_REACHED(Blame.SERVER, ClimbEffect.NOT_HELD, Trait.BY_LATENESS, Trait.OF_TIME_ALONE, Trait.BY_BOUND),
  /** The study's rate and steady state came to no message. */
  NOTHING_INTENDED(Blame.STUDY, ClimbEffect.NOTHING, Trait.SPOILS, Trait.BY_BOUND),
  /** The client's schedule had far fewer messages than the rate asks for. */
  TOO_LITTLE_INTENDED(Blame.CLIENT, ClimbEffect.EXCUSES, Trait.BY_BOUND),
  /** The response time went beyond the study's bound, and the server took that time. */
  RESPONSE_TIME_BEYOND_BOUND(Blame.SERVER, ClimbEffect.TOO_SLOW, Trait.BY_LATENESS, Trait.OF_TIME_ALONE),
  /** The client sent much too late by its own fault, so what was not carried may be missing because of it. */
  LATE_SENDS(
      Blame.CLIENT, ClimbEffect.EXCUSES, Trait.BY_LATENESS, Trait.OF_TIME_ALONE, Trait.BY_BOUND, Trait.OF_STARVING, Trait.ONLY_HARDER),
  /** A load tool held sends back while the server was slow, and their wait is in none of its times. */
  COORDINATED_OMISSION(Blame.CLIENT, ClimbEffect.NOTHING, Trait.BY_LATENESS, Trait.OF_TIME_ALONE),
  /** A load tool's times cannot be true of all connections: they contradict what was counted beside them. */
  TIMES_CONTRADICTED(Blame.CLIENT, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE),
  /** A load tool's calibration did not end, or threw away what was far slower than what it kept. */
  CALIBRATION_SWALLOWED(Blame.CLIENT, ClimbEffect.NOTHING, Trait.BY_LATENESS, Trait.OF_TIME_ALONE),
  /** What was measured had not settled: the last third of the steady state is another than the first. */
  DRIFT(Blame.STUDY, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE, Trait.BY_BOUND, Trait.NOISE),
  /** The server answered with an HTTP status of failure. */
  ERROR_RESPONSES(Blame.SERVER, ClimbEffect.NOT_HELD),
  /** The client stood still for longer than the run allows. */
  CLIENT_HICCUP(
      Blame.CLIENT, ClimbEffect.NOTHING, Trait.BY_LATENESS, Trait.OF_TIME_ALONE, Trait.BY_BOUND, Trait.OF_STARVING, Trait.ONLY_HARDER,
      Trait.NOISE),
  /** The client had no port left for a connection: it was asked for more than its addresses have. */
  EPHEMERAL_PORTS_EXHAUSTED(Blame.CLIENT, ClimbEffect.EXCUSES, Trait.OF_A_LIMIT),
  /** System calls of the client failed for a reason on its own side, before the server had a part in it. */
  CLIENT_CALL_FAILED(Blame.CLIENT, ClimbEffect.EXCUSES, Trait.OF_A_LIMIT),
  /** The client process ended, or stood still, before it gave a result. */
  CLIENT_DIED(Blame.CLIENT, ClimbEffect.EXCUSES, Trait.OF_A_LIMIT),
  /** The server did not get ready, or failed the first echo that the harness itself asks for. */
  SERVER_NOT_READY(Blame.SERVER, ClimbEffect.SERVER_FAILED, Trait.SPOILS),
  /** The server process ended during the rung. */
  SERVER_DIED(Blame.SERVER, ClimbEffect.SERVER_FAILED),
  /** The server's metrics page or its forced collection did not answer although its process ran. */
  METRICS_UNREACHABLE(Blame.STUDY, ClimbEffect.NOTHING, Trait.SPOILS),
  /** The figures of the server were not of the load of this run alone, on the one process that had it throughout. */
  SERVER_MISMATCH(Blame.OTHERS, ClimbEffect.NOTHING),
  /** Client and server share processors, and together left the host almost no idle CPU. */
  HOST_SATURATED(Blame.HOST, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE),
  /** The server has processors of its own, and left almost no idle CPU there. */
  SERVER_SATURATED(Blame.SERVER, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE),
  /** The client has processors of its own, and left almost no idle CPU there although it does not poll. */
  CLIENT_SATURATED(Blame.CLIENT, ClimbEffect.EXCUSES, Trait.OF_TIME_ALONE, Trait.ONLY_HARDER),
  /** CPU was taken by others (steal, foreign processes) beyond the run's bound. */
  HOST_TOO_NOISY(Blame.OTHERS, ClimbEffect.EXCUSES, Trait.OF_TIME_ALONE, Trait.ONLY_HARDER, Trait.NOISE),
  /** What is counted from a border of the steady state on was read too long after it. */
  BORDER_LATE(Blame.STUDY, ClimbEffect.NOTHING, Trait.BY_LATENESS, Trait.OF_TIME_ALONE, Trait.NOISE),
  /** A host of a run over several died, stood still or lost its link. */
  HOST_LOST(Blame.OTHERS, ClimbEffect.EXCUSES),
  /** Clocks of hosts could not be compared closely enough, or ran apart during the rung. */
  CLOCKS_APART(Blame.OTHERS, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE),
  /** One client host's figures are far from those of its peers, so that the merged ones are those of two kinds of clients. */
  HOSTS_DIFFER(Blame.CLIENT, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE),
  /** A sysctl or limit differed between the beginning and the end of the rung. */
  SETTING_CHANGED(Blame.OTHERS, ClimbEffect.NOTHING),
  /** The network that the run made lost packets that it should not, or not those that it should. */
  NETWORK_NOT_AS_ASKED(Blame.STUDY, ClimbEffect.NOTHING, Trait.SPOILS),
  /** A socket option that the method relies on (TCP_NODELAY) did not hold. */
  OPTION_NOT_HELD(Blame.CLIENT, ClimbEffect.NOTHING),
  /** The warm-up ended at its time bound, with compilers still busy or too few echoes. */
  WARM_UP_INCOMPLETE(Blame.STUDY, ClimbEffect.NOTHING, Trait.OF_TIME_ALONE, Trait.NOISE),
  /** The run was stopped (Ctrl-C, SIGTERM) before the rung was complete. */
  INTERRUPTED(Blame.OTHERS, ClimbEffect.EXCUSES);

  private enum Trait {
    BY_LATENESS,
    OF_TIME_ALONE,
    OF_A_LIMIT,
    SPOILS,
    BY_BOUND,
    OF_STARVING,
    ONLY_HARDER,
    NOISE
  }

  private final Blame blame;
  private final ClimbEffect onClimb;
  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes one that cannot be changed
  private final Set<Trait> traits;

  ReasonCode(Blame blame, ClimbEffect onClimb, Trait... traits) {
    this.blame = blame;
    this.onClimb = onClimb;
    this.traits = Set.of(traits);
  }

  /** The name used in files and as the name of the symptom page: lower case, words joined by {@code -}. */
  @JsonValue
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whose fault it is. */
  public Blame blame() {
    return blame;
  }

  /**
   * Whether it makes the measurement worthless, whatever else was seen: the client, others or a broken server are at fault, or it
   * cannot be told whether the server or the way to it is.
   */
  public boolean spoils() {
    return blame == Blame.CLIENT || blame == Blame.OTHERS || traits.contains(Trait.SPOILS);
  }

  /** Whether a load that is too much for server or host explains it. */
  public boolean saturates() {
    return (blame == Blame.SERVER || blame == Blame.HOST) && !traits.contains(Trait.SPOILS);
  }

  /** What it says about the climb of the server. */
  public ClimbEffect onClimb() {
    return onClimb;
  }

  /** Whether lateness alone can cause it: everything was done, only later than it was due. */
  public boolean byLateness() {
    return traits.contains(Trait.BY_LATENESS);
  }

  /**
   * Whether it tells against times, rates and CPU alone, so that connections, bytes of memory and limits hold all the same.
   */
  public boolean ofTimeAlone() {
    return traits.contains(Trait.OF_TIME_ALONE);
  }

  /**
   * Whether it tells of noise alone: of others on the host, or of what had not settled. It marks figures that it touches, and has no part
   * in the verdict, which is about load and server.
   */
  public boolean noise() {
    return traits.contains(Trait.NOISE);
  }

  /** Whether a limit that was met is reason enough for it, whatever else was seen. */
  public boolean ofALimit() {
    return traits.contains(Trait.OF_A_LIMIT);
  }

  /** Whether {@link LoadJudge} finds it from figures and bounds, so that a study's bounds replace a load tool's own. */
  public boolean byBound() {
    return traits.contains(Trait.BY_BOUND);
  }

  /** Whether a client shows it that gets no processor. */
  public boolean ofStarving() {
    return traits.contains(Trait.OF_STARVING);
  }

  /** Whether it can only have made response times longer, so that a rate that was held in spite of it was held. */
  public boolean onlyHarder() {
    return traits.contains(Trait.ONLY_HARDER);
  }

  /** The constant with this {@link #id()}; an unknown id is an {@link IllegalArgumentException}. */
  @JsonCreator
  public static ReasonCode ofId(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
