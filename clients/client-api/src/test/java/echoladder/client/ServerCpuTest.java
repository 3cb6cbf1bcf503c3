package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerCpuTest {
  @Test
  void theMetersCpuIsLeftOut() {
    ServerCpu cpu = new ServerCpu();
    assertThat(cpu.withoutMeter(1_000L, 100L)).isEqualTo(900L);
    assertThat(cpu.withoutMeter(3_000L, 400L)).isEqualTo(2_600L);
  }

  @Test
  void aServerWithoutSuchASeriesHasAllOfItsCpu() {
    ServerCpu cpu = new ServerCpu();
    assertThat(cpu.withoutMeter(1_000L, null)).isEqualTo(1_000L);
    assertThat(cpu.withoutMeter(3_000L, 400L)).as("a series that turns up later").isEqualTo(3_000L);
  }

  @Test
  void aReadingThatLacksAPartIsNone() {
    ServerCpu cpu = new ServerCpu();
    assertThat(cpu.withoutMeter(1_000L, 100L)).isEqualTo(900L);
    assertThat(cpu.withoutMeter(3_000L, null)).isNull();
    assertThat(cpu.withoutMeter(null, 400L)).isNull();
  }
}
