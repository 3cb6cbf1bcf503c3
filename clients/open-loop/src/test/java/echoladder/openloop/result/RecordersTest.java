package echoladder.openloop.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordersTest {
  private final Recorders one = new Recorders(new Counters());
  private final Recorders other = new Recorders(new Counters());

  private Map<TimeKind, Histogram> interval() {
    Map<TimeKind, Histogram> into = new EnumMap<>(TimeKind.class);
    one.addIntervalTo(into);
    other.addIntervalTo(into);
    return into;
  }

  @Test
  void anIntervalIsWhatAllLoopsRecordedSinceTheLast() {
    Histogram all = Recorders.emptyHistogram();
    for (int second = 1; second <= 5; second++) {
      for (int i = 1; i <= 100 * second; i++) {
        one.record(TimeKind.RESPONSE, 1_000L * i);
        other.record(TimeKind.RESPONSE, 2_000_000L * i);
      }
      other.record(TimeKind.SERVICE, second);
      Map<TimeKind, Histogram> interval = interval();
      assertThat(interval).containsOnlyKeys(TimeKind.RESPONSE, TimeKind.SERVICE);
      Histogram response = Objects.requireNonNull(interval.get(TimeKind.RESPONSE));
      assertThat(response.getTotalCount()).isEqualTo(200L * second);
      assertThat(response.getCountAtValue(1_000)).isEqualTo(1);
      assertThat(response.valuesAreEquivalent(response.getMaxValue(), 200_000_000L * second)).isTrue();
      assertThat(Objects.requireNonNull(interval.get(TimeKind.SERVICE)).getMaxValue()).isEqualTo(second);
      all.add(response);
    }
    assertThat(all.getTotalCount()).isEqualTo(200 * (1 + 2 + 3 + 4 + 5));
    assertThat(interval()).isEmpty();
  }
}
