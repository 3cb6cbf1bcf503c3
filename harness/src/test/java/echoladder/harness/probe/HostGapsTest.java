package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class HostGapsTest {
  private static final Offset<Double> NEAR = Offset.offset(1e-12);

  /** 2 % of the time in gaps over 20 us, 1 % over 50 us, 0.2 % over 1 ms, none over 5 ms. */
  private static Gaps gaps(int cpu) {
    return new Gaps(cpu, List.of(0.02, 0.01, 0.01, 0.01, 0.01, 0.002, 0.001, 0.0, 0.0), 4_000_000);
  }

  private static Gaps half(int cpu) {
    return new Gaps(cpu, gaps(cpu).shares().stream().map(share -> share / 2).toList(), 4_000_000);
  }

  private static Gaps none(int cpu) {
    return new Gaps(cpu, List.of(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 10_000);
  }

  @Test
  void atAStepItIsTheStepsAndBetweenTwoInBetween() {
    assertThat(gaps(0).share(50_000)).isCloseTo(0.01, NEAR);
    assertThat(gaps(0).share(Math.sqrt(20_000.0 * 50_000))).isCloseTo(0.015, NEAR);
    assertThat(gaps(0).share(300_000)).isCloseTo(0.01, NEAR);
    assertThat(gaps(0).share(1e9)).isZero();
    assertThat(gaps(0).share(5_000)).as("below the first step").isCloseTo(0.02, NEAR);
  }

  @Test
  void itIsTheMeanOverProcessorsByHowBusyTheOthersWere() {
    HostGaps host = new HostGaps(List.of(none(0), none(1)), List.of(half(0), none(1)), List.of(gaps(0), none(1)));
    assertThat(host.share(50_000, 0, 0).orElseThrow()).isZero();
    assertThat(host.share(50_000, 1, 1).orElseThrow()).isCloseTo(0.005, NEAR);
    assertThat(host.share(50_000, 0.4, 0.4).orElseThrow()).isCloseTo(0.002, NEAR);
    assertThat(host.share(50_000, 1, 0).orElseThrow())
        .as("for the hypervisor all the time, for other programs never")
        .isCloseTo(0.0025, NEAR);
    assertThat(host.share(50_000, 0.8, 0.2).orElseThrow()).isCloseTo(0.6 * 0.0025 + 0.2 * 0.005, NEAR);
    assertThat(new HostGaps(List.of(), List.of(), List.of()).share(50_000, 0, 0)).isEmpty();
  }

  @Test
  void anOlderRunHasNoFilledOnesAndStaysAsItWas() {
    HostGaps host = HostGaps.in(new HashMap<>(Map.of("gaps", Map.of("alone", List.of(none(0)), "together", List.of(gaps(0))))));
    assertThat(Objects.requireNonNull(host).share(50_000, 1, 0.1).orElseThrow()).isCloseTo(0.01, NEAR);
  }

  @Test
  void ofSomeProcessorsTheyAreThoseOfNoOther() {
    HostGaps host = new HostGaps(List.of(gaps(0), none(2)), List.of(half(0), none(2)), List.of(gaps(0), none(1), gaps(2), none(3)));
    assertThat(host.of(CpuList.parse("0,2")).share(50_000, 1, 1).orElseThrow()).isCloseTo(0.01, NEAR);
    assertThat(host.of(CpuList.parse("2-3")).share(50_000, 1, 1).orElseThrow()).isCloseTo(0.005, NEAR);
    assertThat(host.of(CpuList.parse("2-3")).share(50_000, 0, 0).orElseThrow()).isZero();
    assertThat(host.of(CpuList.parse("0")).share(50_000, 1, 0).orElseThrow()).isCloseTo(0.005, NEAR);
    assertThat(host.of(CpuList.parse("1,3")).share(50_000, 1, 1).orElseThrow()).isZero();
    assertThat(host.of(CpuList.parse("1,3")).share(50_000, 0, 0).orElseThrow()).as("none of them was looked at alone").isCloseTo(0.005, NEAR);
    assertThat(host.of(CpuList.parse("7")).share(50_000, 1, 1)).isEmpty();
  }

  /** As a run writes them, and as a run that is resumed reads them. */
  @Test
  void areReadFromTheEnvironment() throws Exception {
    CpuList one = CpuList.of(Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid())).stream().findFirst().orElseThrow());
    Map<String, Object> written = GapMeter.measure(one, Duration.ofMillis(20));
    HostGaps fresh = Objects.requireNonNull(HostGaps.in(new HashMap<>(Map.of("gaps", written))));
    assertThat(fresh.alone()).hasSize(1);
    assertThat(fresh.othersFilled()).hasSize(1);
    Object read = JsonMapper.shared().readValue(JsonMapper.shared().writeValueAsString(written), Map.class);
    assertThat(HostGaps.in(new HashMap<>(Map.of("gaps", read)))).isEqualTo(fresh);
    assertThat(HostGaps.in(new HashMap<>())).isNull();
  }
}
