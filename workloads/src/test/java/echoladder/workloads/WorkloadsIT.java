package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Each workload as a user starts it: it does what it was asked for, and its figures add up. */
class WorkloadsIT {
  private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
  private static final Map<String, Class<?>> ALL =
      Map.of(
          "CpuBound", CpuBound.class,
          "ForkStyle", ForkStyle.class,
          "ContextSwitch", ContextSwitch.class,
          "Pinning", Pinning.class,
          "Footprint", Footprint.class,
          "Mixed", Mixed.class);

  private static JsonNode done(String workload, String args) throws Exception {
    WorkloadProcess process = WorkloadProcess.run(Objects.requireNonNull(ALL.get(workload)), JVM, args.split(" ", -1));
    assertThat(process.status()).as(process.err()).isZero();
    assertThat(process.figures().get("ended_by").asString()).isEqualTo("done");
    return process.figures();
  }

  @ParameterizedTest
  @CsvSource({"platform", "virtual", "pool"})
  void cpuBoundComputesInEachTask(String model) throws Exception {
    JsonNode figures = done("CpuBound", "--model " + model + " --tasks 300 --fibonacci 15 --warm-up 10");
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(300);
    assertThat(figures.get("task_time_count").asLong()).isEqualTo(300);
    assertThat(figures.get("tasks_per_s").asDouble())
        .isCloseTo(300e9 / figures.get("wall_ns").asDouble(), org.assertj.core.data.Percentage.withPercentage(0.1));
  }

  @ParameterizedTest
  @CsvSource({
    "sequential, 0", "thread-per-call, 54", "shared-executor, 54", "over-calls, 0", "bounded, 0"
  })
  void everyStyleComputesEveryCall(String style, int forksPerCall) throws Exception {
    // Of size 9 the recursion has 109 calls, of which 54 have two halves.
    JsonNode figures = done("ForkStyle", "--style " + style + " --fibonacci 9 --calls 20 --warm-up 2");
    assertThat(figures.get("calls_ended").asLong()).isEqualTo(20);
    assertThat(figures.get("call_time_count").asLong()).isEqualTo(20);
    assertThat(figures.get("forks").asLong()).isEqualTo(20L * forksPerCall);
  }

  @ParameterizedTest
  @CsvSource({"platform, yield", "virtual, yield", "platform, token", "virtual, token"})
  void threadsMakeWayForEachOther(String model, String by) throws Exception {
    JsonNode figures = done("ContextSwitch", "--model " + model + " --threads 20 --switches 2010 --by " + by);
    assertThat(figures.get("switches").asLong()).isEqualTo(2_000);
    assertThat(figures.get("per_switch_ns").asDouble()).isPositive();
    assertThat(figures.get("kernel_switches_per_yield").isNull()).isEqualTo(model.equals("virtual"));
  }

  /** Every task blocks in a frame that cannot be left: below a native frame and in an initialiser on any JDK so far. */
  @ParameterizedTest
  @CsvSource({"lock, 0", "synchronized, 0", "native, 20", "class_init, 20"})
  void pinnedEventsAreCounted(String where, int pinnedAtLeast) throws Exception {
    JsonNode figures = done("Pinning", "--where " + where + " --tasks 20 --block 5ms");
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(20);
    long pinned = figures.get("pinned_events").asLong();
    if (pinnedAtLeast == 0) {
      assertThat(pinned).isLessThan(20);
    } else {
      assertThat(pinned).isGreaterThanOrEqualTo(pinnedAtLeast);
    }
  }

  @Test
  void aDeeperStackTakesMoreHeap() throws Exception {
    JsonNode shallow = done("Footprint", "--model virtual --tasks 3000 --depth 1");
    JsonNode deep = done("Footprint", "--model virtual --tasks 3000 --depth 200");
    assertThat(deep.get("heap_bytes_per_task").asDouble())
        .isGreaterThan(shallow.get("heap_bytes_per_task").asDouble() + 200 * 8);
  }

  @Test
  void aPlatformThreadReservesItsStackAndTouchesLittleOfIt() throws Exception {
    JsonNode figures = done("Footprint", "--model platform --tasks 200");
    assertThat(figures.get("reserved_bytes_per_task").asDouble()).isGreaterThan(900 << 10);
    assertThat(figures.get("resident_bytes_per_task").asDouble()).isLessThan(400 << 10);
    assertThat(figures.get("os_threads_settled").asLong()).isGreaterThan(200);
  }

  @ParameterizedTest
  @CsvSource({"platform, ''", "virtual, ''", "virtual, ' --at-once 10'"})
  void tasksComputeAndThenWaitForTheServer(String model, String atOnce) throws Exception {
    JsonNode figures = done("Mixed", "--model " + model + " --tasks 40 --fibonacci 10 --wait 100ms" + atOnce);
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(40);
    // Ten at once need four rounds of 100 ms each.
    assertThat(figures.get("wall_ns").asLong()).isGreaterThanOrEqualTo(atOnce.isBlank() ? 100_000_000 : 400_000_000);
    assertThat(figures.get("over_time").get("time_ms").size()).isPositive();
  }
}
