package echoladder.harness.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.harness.lab.LabMark;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetAsideTest {
  private static final Doubt LATE = new Doubt(Invalidity.LATE_SENDS, "late");
  private static final Doubt MISSING = new Doubt(Invalidity.CONNECTIONS_MISSING, "missing");
  private static final List<Doubt> BOTH = List.of(LATE, MISSING);

  private static LabMark claiming(String... claims) {
    return new LabMark("a-lab", "6.1", 1, List.of(claims), List.of());
  }

  @Test
  void everythingCountsWhereTimesMayBeQuoted() {
    assertThat(SetAside.of(BOTH, null)).isEqualTo(new SetAside(BOTH, List.of()));
    assertThat(SetAside.of(BOTH, claiming("memory", "times"))).isEqualTo(new SetAside(BOTH, List.of()));
  }

  @Test
  void whatSpoilsTimesAloneIsSetAsideWhereNoneMayBeQuoted() {
    assertThat(SetAside.of(BOTH, claiming("memory"))).isEqualTo(new SetAside(List.of(MISSING), List.of(LATE)));
  }
}
