package echoladder.harness.study;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.common.YamlTree;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Planner;
import echoladder.harness.report.text.PlanTable;
import echoladder.harness.server.ServerManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A study.yaml, behind lines {@code --set KEY=VALUE}. */
class StudyFuzzTest {
  private static final String SET = "--set ";
  private static final Checkout CHECKOUT = new Checkout(Inputs.ROOT);
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);
  private static final StudyReader READER = new StudyReader(CHECKOUT, SERVERS, false);
  private static final Planner.Place PLACE = new Planner.Place(HostFactsReader.read(), Role.BOTH, null);

  static Stream<Arguments> seeds() {
    return Stream.concat(
        Inputs.inFolders("studies", "study.yaml", text -> text),
        Inputs.inFolders("studies", "study.yaml", text -> "--set rungs=[1, 20]\n--set servers[0].label=x\n--set load.rate=5/s\n" + text));
  }

  @MethodSource("seeds")
  @FuzzTest
  void aStudyIsPlannedOrRefused(byte[] input) {
    List<YamlSetting> settings = new ArrayList<>();
    String rest = Inputs.text(input);
    try {
      while (rest.startsWith(SET)) {
        int end = rest.indexOf('\n');
        settings.add(YamlSetting.parse(rest.substring(SET.length(), end < 0 ? rest.length() : end)));
        rest = end < 0 ? "" : rest.substring(end + 1);
      }
      StudyFile file = new StudyFile(Path.of("study.yaml"), YamlTree.parse(rest, "study.yaml"));
      Study study = READER.read(file, new Selection(null, List.of(), settings));
      PlanTable.of(study, Planner.plan(study, SERVERS, PLACE, (_, _) -> Obstacles.NONE));
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
