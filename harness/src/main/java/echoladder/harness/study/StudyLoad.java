package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.Churn;
import echoladder.client.Publish;
import echoladder.client.Schedule;
import echoladder.client.SlowReaders;
import echoladder.client.Storm;
import echoladder.client.Tls;
import echoladder.client.schedule.Bursts;
import echoladder.client.tls.ThrowawayCertificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What is offered. Exactly one of the three kinds of rate is given.
 *
 * @param totalPerS messages per second over all connections together, the same on every rung
 * @param perConnectionPerS messages per second of each connection that sends: the total grows with the rung
 * @param totalsPerS several totals, ascending: each is a rung of its own, against one server process per connection count and
 *     repeat; none where there is one rate
 * @param cpus which processors server and client run on, see {@link Cpus}
 * @param spinNs how long before a send is due the client begins to poll instead of sleeping; 0 = it sleeps
 * @param idle what processors do that have nothing to do
 * @param staged users in stages in place of messages at a rate: the total is the mean of their closed loop's ceiling
 *     then, and message size, schedule, active share and in-flight say nothing; null = none
 * @param churnPerS connections ended and replaced per second; null = they stay
 * @param lifetime how lives are distributed with churn, else null
 * @param storm how connections come back from a restart of the server after the hold; null = it is not restarted
 * @param publish who gets each message that the server pushes, as {@link Publish#ofText} reads it: a rate is in deliveries then; null =
 *     the server echoes
 * @param slowReaders connections that do not read from the beginning of the steady state on; null = none
 * @param tls TLS under the protocol, as {@link Tls#ofWord} reads it; null = plain
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StudyLoad(
    @Key("rate.total") @Nullable Double totalPerS,
    @Key("rate.per_connection") @Nullable Double perConnectionPerS,
    @Key("rate.totals") @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> totalsPerS,
    int messageBytes,
    Schedule schedule,
    double activeShare,
    int inFlight,
    long seed,
    String cpus,
    long spinNs,
    Idle idle,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StagedUsers staged,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double churnPerS,
    @JsonInclude(JsonInclude.Include.NON_NULL) Churn.@Nullable Lifetime lifetime,
    @JsonInclude(JsonInclude.Include.NON_NULL) Storm.@Nullable Kind storm,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String publish,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SlowPart slowReaders,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String tls) {
  /** Beyond the seeds that anybody writes by hand, so that no repeat of one study is another study's first. */
  private static final long REPEAT_STRIDE = 1_000_003;

  public StudyLoad {
    // Runs of before there was such a key were all of them so.
    cpus = cpus == null ? Cpus.SHARED : cpus;
    idle = idle == null ? Idle.HALT : idle;
    totalsPerS = totalsPerS == null ? List.of() : List.copyOf(totalsPerS);
    lifetime = churnPerS == null ? null : lifetime;
    tls = word(tls);
  }

  /**
   * TLS that a study asks for, as {@link Tls#ofWord} reads it; null = none.
   *
   * @param said {@code true}, {@code false}, {@code resumption}, or such a word
   */
  static @Nullable String word(@Nullable String said) {
    return switch (said) {
      case null -> null;
      case "false" -> null;
      case "true" -> Tls.LATEST;
      case "resumption" -> Tls.LATEST + Tls.RESUMPTION;
      default -> said;
    };
  }

  /** This load as one of users in stages, who come to so many messages per second. */
  StudyLoad staged(double meanPerS, StagedUsers users) {
    return new StudyLoad(
        meanPerS, null, List.of(), messageBytes, schedule, activeShare, inFlight, seed, cpus, spinNs, idle, users, null, null, null,
        null, null, null);
  }

  /** This load on other processors, see {@link Cpus}. */
  StudyLoad on(String processors) {
    return new StudyLoad(
        totalPerS, perConnectionPerS, totalsPerS, messageBytes, schedule, activeShare, inFlight, seed, processors, spinNs, idle,
        staged, churnPerS, lifetime, storm, publish, slowReaders, tls);
  }

  /** This load with {@link Idle#POLL_IF_ALLOWED} replaced by what it comes to. */
  StudyLoad idle(boolean allowed) {
    return idle != Idle.POLL_IF_ALLOWED
        ? this
        : new StudyLoad(
            totalPerS, perConnectionPerS, totalsPerS, messageBytes, schedule, activeShare, inFlight, seed, cpus, spinNs,
            allowed ? Idle.POLL : Idle.HALT, staged, churnPerS, lifetime, storm, publish, slowReaders, tls);
  }

  /** Where it runs, in words that tell it from the others: its processors, and whether they poll when idle. */
  public String place() {
    return idle == Idle.HALT ? cpus : cpus + " idle=poll";
  }

  /** Whether the rate is a part of a rung's key. */
  public boolean severalRates() {
    return !totalsPerS.isEmpty();
  }

  /** The rates of its rungs with that many connections, in messages per second over all of them, ascending; one at least. */
  public List<Double> ratesPerS(int connections) {
    return severalRates() ? totalsPerS : List.of(totalPerS(connections));
  }

  /**
   * The seed of one repeat's intended sends: another for each, as a repeat that sends at the same moments again meets the same
   * coincidences again; the same for all servers of that repeat.
   *
   * @param repeat from 1, which has the seed itself
   */
  public long seedOf(int repeat) {
    return seed + (repeat - 1) * REPEAT_STRIDE;
  }

  /** Connections that come and go; null where they stay. */
  public @Nullable Churn churn() {
    return churnPerS == null || lifetime == null ? null : new Churn(churnPerS, lifetime);
  }

  /** Who gets what the server pushes; null where it echoes. */
  public @Nullable Publish published() {
    Publish to = Publish.ofText(publish);
    return to == null ? null : to.with(slow());
  }

  /** Connections that do not read; the rate is that of the others. */
  public SlowReaders slow() {
    return slowReaders == null ? SlowReaders.NONE : slowReaders.asked();
  }

  /** TLS as a client is asked for it, which trusts what its host trusts until it is told otherwise; null = plain. */
  public @Nullable Tls overTls() {
    return tls == null ? null : Tls.ofWord(tls, ThrowawayCertificate.NAME);
  }

  /** Messages per second that come to that rate: those that are published, or the echoes. */
  public double messagesPerS(int connections, double ratePerS) {
    Publish pushed = published();
    return pushed == null ? ratePerS : pushed.publishesPerSecond(ratePerS, Bursts.senders(connections, activeShare));
  }

  /** The time in which each connection that sends does so once, with that many connections at that rate. */
  long periodNs(int connections, double ratePerS) {
    return Bursts.periodNs(Bursts.senders(connections, activeShare), ratePerS);
  }

  /** Messages per second over all of that many connections, of a load of one rate. */
  public double totalPerS(int connections) {
    if (totalPerS != null) {
      return totalPerS;
    }
    if (perConnectionPerS == null) {
      throw new IllegalStateException("a load without rate");
    }
    int active = (int) Math.max(1, Math.round(connections * activeShare));
    return perConnectionPerS * slow().readers(active);
  }
}
