package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.Role;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import echoladder.harness.study.TunedKnob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a study of knobs takes at the worst: more than anybody waits for would never be run to its end. */
class KnobPlanTest {
  private static final HostFacts LARGE = new Facts().nofile(Long.MAX_VALUE).facts();

  @ParameterizedTest
  @CsvSource({
    "tuning, floor, 150", "tuning, platform-threads, 150", "tuning, virtual-threads, 150", "tuning, netty, 150", "tuning, go-echo, 150",
    "connecting, netty, 65"
  })
  void oneServerTakesNoLongerThan(String name, String server, int minutes) {
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> servers = ServerManifest.all(checkout);
    Study all = new StudyReader(checkout, servers).read(name, new Selection(null, List.of(server), List.of()));
    // One run sets what a network namespace has, or what the host has.
    Study study = TunedKnob.leftOut(all, Map.of("busy-poll", "it has one value for the host"));
    Plan plan = Planner.plan(study, servers, new Planner.Place(LARGE, Role.BOTH, null), (_, _) -> Obstacles.NONE);
    Duration worst = KnobPlan.atWorst(study, plan);
    assertThat(worst).isLessThan(Duration.ofMinutes(minutes));
    long measured = study.servers().stream().map(entry -> Objects.requireNonNull(entry.knob()).name()).distinct().count();
    Duration pair = plan.likely().dividedBy(measured).dividedBy(study.repeats());
    // Four knobs are confirmed by 13 pairs or 14, and measured by 12 more in up to two runs.
    assertThat(worst).isBetween(plan.likely().plus(pair.multipliedBy(4 * 13)), plan.likely().plus(pair.multipliedBy(4 * 39)));
  }
}
