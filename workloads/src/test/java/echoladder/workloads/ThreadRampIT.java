package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ThreadRampIT {
  private static final List<String> SMALL_HEAP = List.of("-Xmx2g", "-XX:+UseSerialGC");

  /** More than any host has memory for at this limit: it must stop by itself, say why and leave its figures. */
  @Test
  void askedForAHundredMillionUnderASmallLimitItStopsItself() throws Exception {
    WorkloadProcess ramp =
        WorkloadProcess.run(
            ThreadRamp.class, SMALL_HEAP, "--model", "virtual", "--tasks", "100000000", "--latch", "--memory-limit", "300M");
    assertThat(ramp.status()).as(ramp.err()).isEqualTo(1);
    JsonNode figures = ramp.figures();
    assertThat(figures.get("ended_by").asString()).isEqualTo("memory-guard");
    assertThat(figures.get("held_peak_bytes").asLong()).isBetween(200L << 20, 400L << 20);
    assertThat(figures.get("tasks_started").asLong()).isBetween(1_000L, 99_999_999L);
    assertThat(ramp.err())
        .containsPattern("thread-ramp: memory-guard: stopped itself: it holds \\d+ MiB of the 300 MiB it may hold");
  }

  @Test
  void aFullHeapIsTheErrorThatEndsIt() throws Exception {
    WorkloadProcess ramp =
        WorkloadProcess.run(
            ThreadRamp.class,
            List.of("-Xmx64m", "-XX:+UseSerialGC"),
            "--model", "virtual", "--tasks", "100000000", "--latch", "--memory-limit", "2G", "--time-limit", "60s");
    assertThat(ramp.status()).as(ramp.err()).isEqualTo(1);
    assertThat(ramp.figures().get("ended_by").asString()).isEqualTo("error");
    assertThat(ramp.figures().get("ended_detail").asString()).contains("OutOfMemoryError");
  }

  @ParameterizedTest
  @CsvSource({"platform, 50", "virtual, 3000"})
  void allWaitOnTheLatchAtOnce(String model, int tasks) throws Exception {
    WorkloadProcess ramp =
        WorkloadProcess.run(
            ThreadRamp.class, SMALL_HEAP, "--model", model, "--tasks", "" + tasks, "--latch", "--warm-up", "10");
    assertThat(ramp.status()).as(ramp.err()).isZero();
    JsonNode figures = ramp.figures();
    assertThat(figures.get("tasks_live_peak").asLong()).isEqualTo(tasks);
    assertThat(figures.get("heap_used_bytes").asLong()).isPositive();
    assertThat(figures.get("rss_ended_bytes").asLong()).isPositive();
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(tasks);
    assertThat(figures.get("settled_at").asString()).isEqualTo("latch");
    assertThat(figures.get("start_delay_count").asLong()).isEqualTo(tasks);
    assertThat(figures.get("rss_settled_bytes").asLong()).isPositive();
    boolean osThreadEach = figures.get("os_threads_settled").asLong() >= tasks;
    assertThat(osThreadEach).isEqualTo(model.equals("platform"));
  }

  @Test
  void sleepersTakeAsLongAsTheySleep() throws Exception {
    WorkloadProcess ramp =
        WorkloadProcess.run(
            ThreadRamp.class, SMALL_HEAP, "--model", "virtual", "--tasks", "500", "--sleep", "200ms", "--warm-up", "0");
    assertThat(ramp.status()).as(ramp.err()).isZero();
    JsonNode figures = ramp.figures();
    assertThat(figures.get("task_time_p50_ns").asLong()).isGreaterThanOrEqualTo(199_000_000);
    assertThat(figures.get("wall_ns").asLong()).isGreaterThanOrEqualTo(199_000_000);
    assertThat(figures.get("task_time_p99_ns").isNull()).isTrue();
  }

  @Test
  void theTimeLimitEndsIt() throws Exception {
    WorkloadProcess ramp =
        WorkloadProcess.run(
            ThreadRamp.class, SMALL_HEAP, "--model", "virtual", "--tasks", "10", "--sleep", "10m", "--time-limit", "5s");
    assertThat(ramp.status()).isEqualTo(1);
    assertThat(ramp.figures().get("ended_by").asString()).isEqualTo("time-guard");
    assertThat(ramp.figures().get("tasks_live_peak").asLong()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--model virtual --tasks 0 | --tasks 0 is not allowed; 1 to 1,000,000,000",
        "--model green --tasks 1 | expected one of [PLATFORM, VIRTUAL]",
        "--model virtual --tasks 1 --memory-limit 4 | is not an amount of memory; write 512M or 4G",
        "--model virtual --tasks 1 --sleep 3 | is not a time; write 500ms, 5s or 10m",
        "--tasks 1 | Missing required option:",
      })
  void badOptionsAreRefusedBeforeAnythingStarts(String args, String complaint) throws Exception {
    WorkloadProcess ramp = WorkloadProcess.run(ThreadRamp.class, SMALL_HEAP, args.split(" ", -1));
    assertThat(ramp.status()).isEqualTo(2);
    assertThat(ramp.out()).isEmpty();
    assertThat(ramp.err()).contains(complaint).contains("thread-ramp: see --help");
  }
}
