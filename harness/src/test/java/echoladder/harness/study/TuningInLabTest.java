package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;
import echoladder.harness.server.ServerManifest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The study of knobs as a lab has it, over a network: which knobs it asks about, and for how long. */
class TuningInLabTest {
  /** Over a network a study has more knobs, and in a lab rungs that are shorter. */
  @Test
  void theScreenOfAServerOverANetworkInALabTakesAnHour() {
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> servers = ServerManifest.all(checkout);
    Selection far = new Selection(null, List.of("netty"), List.of(YamlSetting.parse("network.delay=20ms")));
    Study study = new StudyReader(checkout, servers, true).read("tuning", far);
    Plan plan = Planner.plan(study, servers, new Planner.Place(new Facts().nofile(Long.MAX_VALUE).facts(), Role.BOTH, null), (_, _) -> Obstacles.NONE);
    assertThat(study.tuned()).extracting(TunedKnob::name)
        .contains("slow-start-after-idle", "initcwnd", "rto-min", "congestion-control").doesNotContain("keepalive-time", "user-timeout");
    assertThat(plan.likely()).isLessThan(Duration.ofMinutes(65));
  }
}
