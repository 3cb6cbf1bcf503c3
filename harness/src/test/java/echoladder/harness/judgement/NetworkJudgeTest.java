package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.metric.CutReading;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.NetworkMetrics;
import echoladder.harness.study.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A network that did not do what was asked of it is a finding. */
class NetworkJudgeTest {
  private static List<Reason> doubts(double loss, @Nullable Double rate, long packets, long drops) {
    Figures figures = Figures.NONE.with(NetworkMetrics.PACKETS, packets).with(NetworkMetrics.DROPS, drops);
    return NetworkJudge.doubts(new Network(20_000_000, 0, loss, rate, 0, 1500), figures);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0     |    |  50000 |    0 |
          0     |    |  50000 |    1 | of 50,001 packets the network lost 1, and the study asks for no loss
          0     |    |      0 |    0 | no packet went over the network that the run has made
          0.01  |    |  99000 | 1000 |
          0.01  |    |  99150 |  850 |
          0.01  |    |  99160 |  840 | of 100,000 packets the network lost 840, and network.loss 1% of them is 1,000.0: chance does not explain that
          0.01  |    |  98840 | 1160 | of 100,000 packets the network lost 1,160, and network.loss 1% of them is 1,000.0: chance does not explain that
          0.001 |    |    100 |    0 | of 100 packets the network lost 0: the loss that the study asks for did not happen (network.loss 0.1% of them is 0.1)
          0.001 |    | 100000 |    0 | of 100,000 packets the network lost 0: the loss that the study asks for did not happen (network.loss 0.1% of them is 100.0)
          0     | 1e7|  50000 |   70 |
          0.01  | 1e7|  90000 | 5000 |
          """)
  void lossesAreHeldAgainstWhatIsAsked(double loss, @Nullable Double rate, long packets, long drops, @Nullable String wrong) {
    List<Reason> doubts = doubts(loss, rate, packets, drops);
    assertThat(doubts).isEqualTo(wrong == null ? List.of() : List.of(new Reason(ReasonCode.NETWORK_NOT_AS_ASKED, wrong)));
  }

  @Test
  void aLinkThatWasNotCutIsAFinding() {
    Network cut = new Network(20_000_000, 0, 0, null, 0, 1500, Network.Cut.IDLE, 1L);
    Figures counted = Figures.NONE.with(NetworkMetrics.PACKETS, 100).with(NetworkMetrics.DROPS, 0);
    assertThat(NetworkJudge.doubts(cut, counted)).extracting(Reason::detail).singleElement().asString().contains("the link was not cut");
    assertThat(NetworkJudge.doubts(cut, NetworkMetrics.cut(counted, new CutReading(20, 0, null, null, null, null)))).isEmpty();
  }

  @Test
  void countersThatAreMissingAreAFinding() {
    assertThat(NetworkJudge.doubts(new Network(0, 0, 0, null, 0, 1500), Figures.NONE)).extracting(Reason::detail).singleElement()
        .asString().contains("its counters (tc -s qdisc) could not be read");
    assertThat(NetworkJudge.doubts(null, Figures.NONE)).isEmpty();
  }
}
