package echoladder.harness.minimal;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.harness.common.Refusal;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One climb to the connections with some of the lifts.
 *
 * @param with the names of the lifts that were made
 * @param answer whether the connections were held
 * @param established connections with a verified echo; null = not known
 * @param limit that the run names; null = none
 * @param reason why the answer is that: of a limit the fact that shows it
 * @param run the folder of the run
 * @param seconds that the try took
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Tried(
    List<String> with,
    MinimalSet.Answer answer,
    @Nullable Long established,
    @Nullable String limit,
    String reason,
    String run,
    double seconds) {
  public Tried {
    with = List.copyOf(with);
  }

  /**
   * What a run of one rung of one server says.
   *
   * @throws Refusal (cannot run) where the rung was not climbed at all, which no other set would change
   */
  public static Tried of(List<String> with, RunRecord run, String folder, double seconds) {
    ClimbRecord climb = run.climbs().getFirst();
    RungRecord rung = run.rungs().getFirst();
    if (rung.status() != RungRecord.Status.MEASURED) {
      throw Refusal.cannotRun("the try in " + folder + " could not be made: " + rung.statusReason());
    }
    MetLimit met = rung.met();
    LoadResult load = rung.load();
    Long established = load == null ? null : (Long) (long) load.connections().established();
    MinimalSet.Answer answer =
        switch (climb.end()) {
          case NOT_HELD, SERVER_FAILED -> MinimalSet.Answer.FAILS;
          case TOP_OF_STUDY -> load != null && held(load.connections()) ? MinimalSet.Answer.HOLDS : MinimalSet.Answer.UNDECIDED;
          default -> MinimalSet.Answer.UNDECIDED;
        };
    String reason =
        switch (answer) {
          case HOLDS -> "held";
          case FAILS -> met == null ? climb.reason() : met.because().getFirst();
          case UNDECIDED -> load == null ? climb.reason() : doubts(load.verdictReasons());
        };
    return new Tried(
        with, answer, established, answer == MinimalSet.Answer.FAILS && met != null ? met.limit().id() : null,
        reason.replaceAll("\\s+", " "), folder, seconds);
  }

  /** All of them had an echo, and none was lost until the end. */
  private static boolean held(LoadResult.Connections connections) {
    Integer held = connections.held();
    return connections.established() == connections.requested()
        && connections.lost() + connections.reset() == 0
        && (held == null || held.equals(connections.requested()));
  }

  private static String doubts(List<Reason> doubts) {
    return doubts.isEmpty()
        ? "the run says neither that the connections were held nor why not"
        : doubts.stream().map(doubt -> doubt.reason().id() + ": " + doubt.detail()).collect(Collectors.joining("; "));
  }

  /** This try without a decision, for that reason. */
  public Tried undecided(String why) {
    return new Tried(with, MinimalSet.Answer.UNDECIDED, established, limit, why, run, seconds);
  }

  /** What was reached and what ended it, for a sentence. */
  public String words(int connections) {
    String reached = established == null ? "an unknown number" : "%,d".formatted(established);
    return switch (answer) {
      case HOLDS -> "%,d held".formatted(connections);
      case FAILS ->
          "%s of %,d connections; %s: %s"
              .formatted(reached, connections, limit == null ? "no limit was named" : limit + " was met", reason);
      case UNDECIDED -> "not decided: " + reason;
    };
  }
}
