package echoladder.harness.study;

import echoladder.client.StagedLoad;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Users in stages, as a study has them in place of a rate: {@link StagedLoad} in the units of run.json.
 *
 * @param stages as they are run: their lengths with the scale in them
 * @param stageScale what the study's lengths were multiplied by
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StagedUsers(
    List<Stage> stages,
    double stageScale,
    List<Request> requests,
    long pauseNs,
    long answerWithinNs,
    int warmUpUsers) {

  public StagedUsers {
    stages = List.copyOf(stages);
    requests = List.copyOf(requests);
  }

  /** See {@link StagedLoad.Stage}. */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Stage(int users, long overNs) {}

  /** See {@link StagedLoad.Request}. */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Request(String name, String path, String answer, long takesNs) {}

  /** As it is run: the lengths of the stages with the scale in them, and that many users to warm up. */
  StagedUsers asRun(int warmUp) {
    List<Stage> scaled = stages.stream().map(s -> new Stage(s.users, Math.round(s.overNs * stageScale))).toList();
    return new StagedUsers(scaled, stageScale, requests, pauseNs, answerWithinNs, warmUp);
  }

  /** The load that a client is asked for; what it does not allow is an {@link IllegalArgumentException}. */
  public StagedLoad load(StagedLoad.Loop loop) {
    return new StagedLoad(
        loop,
        stages.stream().map(s -> new StagedLoad.Stage(s.users, Duration.ofNanos(s.overNs))).toList(),
        requests.stream()
            .map(r -> new StagedLoad.Request(r.name, r.path, r.answer, Duration.ofNanos(r.takesNs)))
            .toList(),
        Duration.ofNanos(pauseNs),
        Duration.ofNanos(answerWithinNs),
        warmUpUsers);
  }
}
