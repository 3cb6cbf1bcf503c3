package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.probe.WorkMeter;
import echoladder.linux.cpu.CpuList;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SideSpeedsTest {
  private static final CpuList SERVER = CpuList.parse("0");
  private static final CpuList CLIENT = CpuList.parse("1");
  private final List<String> said = new ArrayList<>();

  /** The pieces on processor n take n + 1 us. */
  private WorkMeter meter(CpuList cpus) {
    said.add("on " + cpus);
    return new WorkMeter() {
      @Override
      public void begin() {
        said.add("begin " + cpus);
      }

      @Override
      public OptionalLong endNs() {
        return OptionalLong.of(1_000L * (cpus.stream().min().orElseThrow() + 1));
      }

      @Override
      public void close() {
        said.add("close " + cpus);
      }
    };
  }

  @Test
  void eachSideByItself() {
    try (SideSpeeds speeds = new SideSpeeds(this::meter, SERVER, CLIENT)) {
      speeds.begin();
      assertThat(speeds.serverNs()).as("it has not ended").isNull();
      speeds.end();
      speeds.end();
      assertThat(speeds.serverNs()).isEqualTo(1_000);
      assertThat(speeds.clientNs()).isEqualTo(2_000);
    }
    assertThat(said).containsExactly("on 0", "on 1", "begin 0", "begin 1", "close 0", "close 1");
  }

  @Test
  void processorsThatBothShareAreLookedAtOnce() {
    try (SideSpeeds speeds = new SideSpeeds(this::meter, CpuList.parse("0-1"), CpuList.parse("0-1"))) {
      speeds.begin();
      speeds.end();
      assertThat(speeds.clientNs()).isEqualTo(1_000).isEqualTo(speeds.serverNs());
    }
    assertThat(said).startsWith("on 0-1", "begin 0-1", "close 0-1");
  }

  @Test
  void aSideThatTellsNothingIsNotLookedAt() {
    try (SideSpeeds speeds = new SideSpeeds(this::meter, null, CLIENT)) {
      speeds.begin();
      speeds.end();
      assertThat(speeds.serverNs()).isNull();
      assertThat(speeds.clientNs()).isEqualTo(2_000);
    }
    assertThat(said).containsExactly("on 1", "begin 1", "close 1");
  }
}
