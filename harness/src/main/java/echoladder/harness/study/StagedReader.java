package echoladder.harness.study;

import echoladder.client.Schedule;
import echoladder.client.StagedLoad;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The parts of a study with users in stages, checked against the schema before. */
final class StagedReader {
  /** Users of the warm-up where a study says nothing; less where there are never so many. */
  private static final int WARM_UP_USERS = 20;

  private StagedReader() {}

  /** Whether a study has users in stages. */
  static boolean is(JsonNode root) {
    return root.path("load").has("stages");
  }

  /** The load; what the stages do not allow among themselves is a {@link Refusal}. */
  static Study.Load load(YamlTree yaml) {
    JsonNode load = yaml.root().get("load");
    double scale = load.path("stage_scale").asDouble(1);
    List<StagedUsers.Stage> stages = new ArrayList<>();
    for (JsonNode stage : load.get("stages")) {
      long overNs = Math.round(Quantity.ns(stage.get("over").asString()) * scale);
      stages.add(new StagedUsers.Stage(stage.get("users").asInt(), overNs));
    }
    List<StagedUsers.Request> requests = new ArrayList<>();
    for (JsonNode request : load.get("requests")) {
      requests.add(
          new StagedUsers.Request(
              request.get("name").asString(),
              request.get("path").asString(),
              request.get("answer").asString(),
              Quantity.ns(request.path("takes").asString("0s"))));
    }
    int peak = stages.stream().mapToInt(StagedUsers.Stage::users).max().orElse(0);
    StagedUsers users =
        new StagedUsers(
            stages,
            scale,
            requests,
            Quantity.ns(load.path("pause").asString("100ms")),
            Quantity.ns(load.path("answer_within").asString("5s")),
            load.path("warm_up_users").asInt(Math.min(WARM_UP_USERS, peak)));
    try {
      double meanPerS = users.load(StagedLoad.Loop.OPEN).meanCeilingPerS();
      return new Study.Load(meanPerS, null, 64, Schedule.CONSTANT, 1, 1, load.path("seed").asLong(1), users);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(yaml.at("/load/stages") + ": " + e.getMessage());
    }
  }

  /** Its one rung: the connections of all its users. */
  static List<Integer> rungs(Study.Load load) {
    return List.of(staged(load).connections());
  }

  /** Its phases: the steady state is the stages, and the warm-up has fewer users. */
  static Study.Phases phases(Study.Phases phases, Study.Load load) {
    StagedLoad staged = staged(load);
    Long echoes = phases.warmUpEchoes();
    return new Study.Phases(
        phases.connectsPerS(),
        phases.connectTimeoutNs(),
        phases.warmUpMinNs(),
        phases.warmUpMaxNs(),
        echoes != null ? echoes : (Long) (long) Math.ceil(staged.ceilingPerS(staged.warmUpUsers())),
        staged.length().toNanos(),
        phases.drainNs());
  }

  private static StagedLoad staged(Study.Load load) {
    if (load.staged() == null) {
      throw new IllegalArgumentException("a load without stages");
    }
    return load.staged().load(StagedLoad.Loop.OPEN);
  }
}
