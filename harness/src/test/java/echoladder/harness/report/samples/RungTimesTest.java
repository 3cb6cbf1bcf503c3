package echoladder.harness.report.samples;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.RungRecord;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a log has what run.json counts. */
class RungTimesTest {
  /** The result counts 30,000 answers. */
  private static final RungRecord RUNG =
      Rungs.measured(
          new RungRecord.Planned("a", 1_000, 1, 2_000, null),
          Results.by("h2load", 2_000, Percentiles.NONE, Results.TIMES, null, null, List.of()), Figures.NONE);

  private static RungTimes service(long count) {
    Histogram service = new Histogram(3);
    service.recordValueWithCount(100_000, count);
    return new RungTimes(null, null, service, null, null, 0, List.of(), null);
  }

  /** As a load tool leaves it that times from the actual send. */
  @Test
  void aLogOfServiceTimesAloneIsWhole() {
    assertThat(service(30_000).of(RUNG).damage()).isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 29_999})
  void oneThatLacksTimesIsNot(long count) {
    assertThat(service(count).of(RUNG).damage()).contains("%,d of the 30,000 messages of the steady state".formatted(count));
  }
}
