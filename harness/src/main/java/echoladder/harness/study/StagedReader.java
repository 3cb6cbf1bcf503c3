package echoladder.harness.study;

import echoladder.client.StagedLoad;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The parts of a study with users in stages, checked against the schema before. */
final class StagedReader {
  private StagedReader() {}

  /** Whether a study has users in stages. */
  static boolean is(JsonNode root) {
    return root.path("load").has("stages");
  }

  /** The load; what the stages do not allow among themselves is a {@link Refusal}. */
  static StudyLoad load(YamlTree yaml) {
    JsonNode said = yaml.root().get("load");
    JsonNode load = StudyKeys.part("/$defs/staged_load", said);
    StagedUsers written = RecordReader.read(StagedUsers.class, load);
    int peak = written.stages().stream().mapToInt(StagedUsers.Stage::users).max().orElse(0);
    // By default no more than there ever are.
    boolean told = said.has("warm_up_users");
    StagedUsers users = written.asRun(told ? written.warmUpUsers() : Math.min(written.warmUpUsers(), peak));
    try {
      double meanPerS = users.load(StagedLoad.Loop.OPEN).meanCeilingPerS();
      // What says nothing of users in stages is as it is where a study says nothing.
      ObjectNode common = JsonNodeFactory.instance.objectNode();
      List.of("seed", "cpus", "spin", "idle").forEach(key -> common.set(key, load.get(key)));
      return RecordReader.read(StudyLoad.class, StudyKeys.part("/$defs/load", common)).staged(meanPerS, users);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(yaml.at("/load/stages") + ": " + e.getMessage());
    }
  }

  /** Its one rung: the connections of all its users. */
  static List<Integer> rungs(StudyLoad load) {
    return List.of(staged(load).connections());
  }

  /** Its phases: the steady state is the stages, and the warm-up has fewer users. */
  static Study.Phases phases(Study.Phases phases, StudyLoad load) {
    StagedLoad staged = staged(load);
    Long echoes = phases.warmUpEchoes();
    return new Study.Phases(
        phases.connectsPerS(),
        phases.connectTimeoutNs(),
        phases.warmUpMinNs(),
        phases.warmUpMaxNs(),
        echoes != null ? echoes : (Long) (long) Math.ceil(staged.ceilingPerS(staged.warmUpUsers())),
        staged.length().toNanos(),
        phases.drainNs(),
        0,
        phases.acceptStallNs());
  }

  private static StagedLoad staged(StudyLoad load) {
    if (load.staged() == null) {
      throw new IllegalArgumentException("a load without stages");
    }
    return load.staged().load(StagedLoad.Loop.OPEN);
  }
}
