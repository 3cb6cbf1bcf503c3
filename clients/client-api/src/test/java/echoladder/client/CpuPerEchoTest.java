package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuPerEchoTest {
  @Test
  void isMicrosecondsOverEchoes() {
    assertThat(CpuPerEcho.us(5_000_000, 1_000)).isEqualTo(5.0);
    assertThat(CpuPerEcho.ofServer(5_000_000, 1_000)).isEqualTo(5.0);
    assertThat(CpuPerEcho.us(5_000_000, 0)).isNull();
    assertThat(CpuPerEcho.us(null, 1_000)).isNull();
    assertThat(CpuPerEcho.ofServer(null, 1_000)).isNull();
  }

  @Test
  void noCpuOfAServerIsNoFigure() {
    assertThat(CpuPerEcho.ofServer(0, 1_000)).isNull();
    assertThat(CpuPerEcho.ofServer(0L, 0)).isNull();
    assertThat(CpuPerEcho.doubt(0L, 1_000, 4711L).orElseThrow())
        .isEqualTo(
            new Reason(
                ReasonCode.SERVER_MISMATCH, "process 4711 used no CPU while the client counted 1,000 echoes: another process is the server"));
    assertThat(CpuPerEcho.doubt(0L, 10_000, null).orElseThrow().detail()).startsWith("the server's metrics page counted no CPU while");
  }

  @Test
  void aPageThatCountsInCoarseStepsIsNotDoubtedForFewEchoes() {
    assertThat(CpuPerEcho.doubt(0L, 9_999, null)).isEmpty();
    assertThat(CpuPerEcho.doubt(0L, 0, 4711L)).isEmpty();
    assertThat(CpuPerEcho.doubt(1L, 1_000_000, 4711L)).isEmpty();
    assertThat(CpuPerEcho.doubt(null, 1_000_000, 4711L)).isEmpty();
  }
}
