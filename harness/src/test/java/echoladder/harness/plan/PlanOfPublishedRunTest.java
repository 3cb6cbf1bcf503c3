package echoladder.harness.plan;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.Role;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.server.ServerManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan says how long its study will take: as long as published runs of it took. */
class PlanOfPublishedRunTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final HostFacts LARGE = new Facts().nofile(Long.MAX_VALUE).facts();

  @ParameterizedTest
  @ValueSource(strings = {"load-surface/20261126T193329Z-0c5b", "memory/20261123T062015Z-df3b"})
  void isWithinASixthOfWhatTheRunTook(String published) {
    RunRecord run = new RunFolder(CHECKOUT.results().resolve("reference").resolve(published)).read();
    Plan plan = Planner.plan(run.study(), ServerManifest.all(CHECKOUT), new Planner.Place(LARGE, Role.BOTH, null), (_, _) -> Obstacles.NONE);
    Duration took = Duration.between(Instant.parse(run.startedAt()), Instant.parse(Objects.requireNonNull(run.endedAt())));
    assertThat(plan.rungs()).hasSize(run.rungs().size());
    assertThat(plan.likely().toSeconds()).as("seconds of %d", took.toSeconds()).isBetween(took.toSeconds() * 5 / 6, took.toSeconds() * 7 / 6);
  }
}
