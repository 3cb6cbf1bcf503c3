package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class CarriersIT {
  /** One carrier, and no other in its place where it blocks. */
  private static final List<String> ONE_CARRIER =
      List.of(
          "-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-Djdk.virtualThreadScheduler.parallelism=1",
          "-Djdk.virtualThreadScheduler.maxPoolSize=1");

  private static JsonNode held(String model, String by) throws Exception {
    WorkloadProcess process =
        WorkloadProcess.run(
            Carriers.class, ONE_CARRIER, "--model", model, "--by", by, "--holders", "1", "--hold", "200ms", "--probes", "20",
            "--warm-up", "5");
    assertThat(process.status()).as(process.err()).isZero();
    JsonNode figures = process.figures();
    assertThat(figures.get("ended_by").asString()).isEqualTo("done");
    assertThat(figures.get("carriers").asInt()).isEqualTo(1);
    assertThat(figures.get("holders_begun").asInt()).isEqualTo(1);
    assertThat(figures.get("probes_begun").asInt()).isEqualTo(20);
    assertThat(figures.get("probe_delay_count").asInt()).isEqualTo(20);
    assertThat(figures.get("probes_in_hold_share").asDouble()).isEqualTo(figures.get("probes_in_hold").asInt() / 20.0);
    return figures;
  }

  /** Nobody takes a carrier away from a virtual thread that computes, or that a native frame keeps on it. */
  @ParameterizedTest
  @CsvSource({"compute", "native"})
  void whatHoldsTheOnlyCarrierKeepsAllOthersFromBeginning(String by) throws Exception {
    assertThat(held("virtual", by).get("probes_in_hold").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"virtual, socket", "virtual, lock", "platform, compute", "platform, file", "platform, monitor"})
  void otherwiseSomeBeginMeanwhile(String model, String by) throws Exception {
    assertThat(held(model, by).get("probes_in_hold").asInt()).isPositive();
  }

  /** Whether a write to a file, or the wait for a monitor, frees the carrier is what a claim asks: here only that all come to their end. */
  @ParameterizedTest
  @CsvSource({"virtual, file", "virtual, monitor"})
  void allBeginInTheEnd(String model, String by) throws Exception {
    held(model, by);
  }
}
