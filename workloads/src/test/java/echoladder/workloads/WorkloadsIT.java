package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
          "Mixed", Mixed.class,
          "Overload", Overload.class);

  private static JsonNode done(String workload, String args) throws Exception {
    WorkloadProcess process = WorkloadProcess.run(Objects.requireNonNull(ALL.get(workload)), JVM, args.split(" ", -1));
    assertThat(process.status()).as(process.err()).isZero();
    assertThat(process.figures().get("ended_by").asString()).isEqualTo("done");
    return process.figures();
  }

  /** Whoever reads the exit status alone must not take figures that are lost for a run that went well. */
  @ParameterizedTest
  @CsvSource({"the figures, --model platform --tasks 10 --fibonacci 15 --warm-up 10", "the help, --help"})
  void aStdoutThatCannotBeWrittenIsStatus3(String what, String args) throws Exception {
    WorkloadProcess process = WorkloadProcess.to(Path.of("/dev/full"), CpuBound.class, JVM, args.split(" ", -1));
    assertThat(process.status()).as(process.err()).isEqualTo(3);
    assertThat(process.err()).contains("cpu-bound: " + what + " cannot be written to stdout: No space left on device");
  }

  @ParameterizedTest
  @CsvSource({"platform", "virtual", "pool"})
  void cpuBoundComputesInEachTask(String model) throws Exception {
    JsonNode figures = done("CpuBound", "--model " + model + " --tasks 300 --fibonacci 15 --warm-up 10");
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(300);
    assertThat(figures.get("task_time_count").asLong()).isEqualTo(300);
    assertThat(figures.get("tasks_per_s").asDouble())
        .isCloseTo(300e9 / figures.get("wall_ns").asDouble(), withPercentage(0.1));
  }

  @ParameterizedTest
  @CsvSource({
    "sequential, 0, ''", "thread-per-call, 54, ''", "two-threads-per-call, 108, ''", "shared-executor, 54, ''", "shared-executor, 54, --pool",
    "over-calls, 0, ''", "over-calls, 0, --pool", "bounded, 0, ''", "bounded, 0, --pool --permits 1"
  })
  void everyStyleComputesEveryCall(String style, int forksPerCall, String more) throws Exception {
    // Of size 9 the recursion has 109 calls, of which 54 have two halves.
    JsonNode figures = done("ForkStyle", ("--style " + style + " --fibonacci 9 --calls 20 --warm-up 2 " + more).strip());
    assertThat(figures.get("calls_ended").asLong()).isEqualTo(20);
    assertThat(figures.get("call_time_count").asLong()).isEqualTo(20);
    assertThat(figures.get("forks").asLong()).isEqualTo(20L * forksPerCall);
    assertThat(figures.get("model").asString()).isEqualTo(more.contains("--pool") ? "pool" : "virtual");
  }

  /** With one permit there is one call at a time, so nearly all of a call's time is its wait at the door, which is in it. */
  @Test
  void theTimeOfABoundedCallBeginsBeforeItsPermit() throws Exception {
    JsonNode figures = done("ForkStyle", "--style bounded --permits 1 --fibonacci 33 --calls 20 --warm-up 2");
    assertThat(figures.get("permits").asInt()).isEqualTo(1);
    double all = figures.get("call_time_mean_ns").asDouble() * figures.get("call_time_count").asDouble();
    // Each waits for the one before it and then takes as long itself: together twice the wall time, and once where the clock began at the permit.
    // A call takes 10 ms or more, so that whoever hands out the next one gets to run meanwhile, on a busy machine too.
    assertThat(all).isGreaterThan(1.2 * figures.get("wall_ns").asDouble());
  }

  @ParameterizedTest
  @CsvSource({"platform, yield", "virtual, yield", "platform, token", "virtual, token"})
  void threadsMakeWayForEachOther(String model, String by) throws Exception {
    JsonNode figures =
        done("ContextSwitch", "--model " + model + " --threads 20 --switches 2010 --warm-up 100 --by " + by);
    double switches = figures.get("switches").asDouble();
    double wallNs = figures.get("wall_ns").asDouble();
    assertThat(switches).isGreaterThanOrEqualTo(2_010);
    assertThat(wallNs).isGreaterThanOrEqualTo(500e6);
    int atOnce = by.equals("token") ? 1 : Math.min(20, figures.get("processors").asInt());
    assertThat(figures.get("per_switch_ns").asDouble()).isCloseTo(wallNs * atOnce / switches, withPercentage(0.1));
    assertThat(figures.get("start_delay_count").asLong()).isEqualTo(20);
    assertThat(figures.get("task_time_count").asLong()).isEqualTo(20);
  }

  /** On one carrier whoever yields makes way for another; of several, one may have a single thread, which goes on itself. */
  @ParameterizedTest
  @CsvSource({"1, 2", "1, 200"})
  void yieldsOfVirtualThreadsSwitch(int carriers, int threads) throws Exception {
    WorkloadProcess process =
        WorkloadProcess.run(
            ContextSwitch.class,
            List.of("-Djdk.virtualThreadScheduler.parallelism=" + carriers),
            "--model", "virtual", "--threads", "" + threads, "--switches", "1000", "--warm-up", "100");
    assertThat(process.status()).as(process.err()).isZero();
    JsonNode figures = process.figures();
    assertThat(figures.get("switches_seen_by").asString()).isEqualTo("sample");
    double share = figures.get("switches_seen_per_yield").asDouble();
    assertThat(share).isBetween(0.9, 1.0);
    assertThat(share)
        .isEqualTo(figures.get("switches_seen").asDouble() / figures.get("switches_seen_of").asDouble());
    assertThat(figures.get("per_switch_seen_ns").asDouble())
        .isCloseTo(figures.get("per_switch_ns").asDouble() / share, withPercentage(0.1));
  }

  @Test
  void theKernelCountsSwitchesOfPlatformThreads() throws Exception {
    JsonNode figures = done("ContextSwitch", "--model platform --threads 50 --switches 1000 --warm-up 100");
    assertThat(figures.get("switches_seen_by").asString()).isEqualTo("kernel");
    // What was counted is of all turns of all threads, of which the measured ones are some.
    assertThat(figures.get("switches_seen_of").asLong()).isGreaterThanOrEqualTo(figures.get("switches").asLong());
    assertThat(figures.get("switches_seen_per_yield").asDouble()).isPositive();
  }

  /** More than there is memory for at this limit, of each that makes tasks: it stops by itself and says why. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ContextSwitch | --model virtual --threads 100000000",
        "CpuBound      | --model virtual --tasks 100000000 --fibonacci 35 --warm-up 0",
        "Mixed         | --model virtual --tasks 100000000 --fibonacci 35 --warm-up 0",
        "Pinning       | --where lock --tasks 100000000 --block 10m --warm-up 0",
        "Footprint     | --model virtual --tasks 100000000",
        "ForkStyle     | --style thread-per-call --fibonacci 40 --calls 100000000 --warm-up 0",
        "ForkStyle     | --style over-calls --fibonacci 35 --calls 100000000 --warm-up 0",
      })
  void askedForAHundredMillionUnderASmallLimitItStopsItself(String workload, String args) throws Exception {
    Class<?> program = Objects.requireNonNull(ALL.get(workload));
    WorkloadProcess process =
        WorkloadProcess.run(
            program, List.of("-Xmx2g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"),
            (args + " --memory-limit 300M --time-limit 100s").split(" ", -1));
    assertThat(process.status()).as(process.err()).isEqualTo(1);
    assertThat(process.figures().get("ended_by").asString()).as(process.err()).isEqualTo("memory-guard");
    assertThat(process.err()).containsPattern(": memory-guard: stopped itself: it holds \\d+ MiB of the 300 MiB");
  }

  /** Memory of each when it is done, where it did not say what it was in the midst of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CpuBound      | --model pool --tasks 10 --fibonacci 5 --warm-up 0 | end",
        "ForkStyle     | --style sequential --fibonacci 5 --calls 5        | end",
        "ContextSwitch | --model virtual --threads 2 --switches 10         | end",
        "Pinning       | --where lock --tasks 5 --block 1ms                | end",
        "Mixed         | --model virtual --tasks 5 --fibonacci 5 --wait 1ms | end",
        "Footprint     | --model virtual --tasks 50                        | parked",
      })
  void settledMemoryIsTold(String workload, String args, String at) throws Exception {
    JsonNode figures = done(workload, args);
    assertThat(figures.get("settled_at").asString()).isEqualTo(at);
    for (String name : List.of("rss_settled_bytes", "heap_live_bytes", "os_threads_settled", "rss_peak_bytes")) {
      assertThat(figures.get(name).asLong()).as(name).isPositive();
    }
  }

  /** Every task blocks in a frame that cannot be left: below a native frame and in an initialiser on any JDK so far. */
  @ParameterizedTest
  @CsvSource({"lock, 0", "synchronized, 0", "native, 20", "class_init, 20"})
  void pinnedEventsAreCounted(String where, int pinnedAtLeast) throws Exception {
    JsonNode figures = done("Pinning", "--where " + where + " --tasks 20 --block 5ms");
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(20);
    assertThat(figures.get("task_time_count").asLong()).isEqualTo(20);
    assertThat(figures.get("start_delay_count").asLong()).isEqualTo(20);
    assertThat(figures.get("task_time_p50_ns").isNull()).isTrue();
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
  void whatIsKeptInAThreadLocalIsOfEachThread() throws Exception {
    double without = done("Footprint", "--model virtual --tasks 10000").get("heap_bytes_per_task").asDouble();
    double with = done("Footprint", "--model virtual --tasks 10000 --thread-local 4096").get("heap_bytes_per_task").asDouble();
    // What else the two heaps have differs by up to 1.7 MB, 170 B of each of so many tasks.
    assertThat(with - without).isBetween(0.9 * 4_096, 8_192.0);
  }

  @Test
  void aPlatformThreadReservesItsStackAndTouchesLittleOfIt() throws Exception {
    JsonNode figures = done("Footprint", "--model platform --tasks 2000");
    assertThat(figures.get("reserved_bytes_per_task").asDouble()).isGreaterThan(900 << 10);
    assertThat(figures.get("resident_bytes_per_task").asDouble()).isLessThan(400 << 10);
    assertThat(figures.get("os_threads_settled").asLong()).isGreaterThan(2_000);
  }

  private static long endedChildrenNs() {
    echoladder.linux.process.ProcessCpu cpu = new echoladder.linux.process.ProcessCpu();
    return cpu.ownWithEndedChildrenNs() - cpu.ownNs();
  }

  /** To start a JVM takes more than 50 ms of CPU: who starts the workload must not take that for others' work. */
  private static void itsServerIsCounted(long tookNs, JsonNode figures) {
    assertThat(tookNs - figures.get("process_cpu_ns").asLong()).as("CPU of its server").isGreaterThan(50_000_000L);
  }

  /** Go's form, which was built before this module, asks the same server. */
  @Test
  void goroutinesWaitForTheSameServer() throws Exception {
    Path mixed = Path.of("../go-echo/target/mixed").toAbsolutePath().normalize();
    assertThat(mixed).as("built by the module go-echo").isExecutable();
    long before = endedChildrenNs();
    Process process =
        new ProcessBuilder(
                mixed.toString(), "--tasks", "40", "--fibonacci", "10", "--wait", "100ms",
                "--java", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--server-classes", System.getProperty("java.class.path"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    JsonNode figures = JsonMapper.shared().readTree(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    itsServerIsCounted(endedChildrenNs() - before, figures);
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(40);
    assertThat(figures.get("task_time_max_ns").asLong()).isGreaterThanOrEqualTo(100_000_000);
    assertThat(figures.get("request_mean_ns").asLong()).isBetween(1L, figures.get("request_last_ns").asLong());
  }

  /** One is served at a time, and none to its end: of those that are let in all but the first wait. */
  @ParameterizedTest
  @CsvSource({"virtual, ''", "platform, ''", "virtual, ' --bound 5'"})
  void whoeverIsLetInWaitsToBeServed(String model, String bound) throws Exception {
    JsonNode figures = done("Overload", "--model " + model + " --rate 500 --at-once 1 --serve 10m --for 300ms" + bound);
    long atEnd = figures.get("tasks_under_way_at_end").asLong();
    assertThat(atEnd).isEqualTo(figures.get("tasks_started").asLong()).isBetween(1L, bound.isEmpty() ? 150L : 5L);
    assertThat(figures.get("tasks_kept_out").asLong()).isEqualTo(150 - atEnd);
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(atEnd);
    assertThat(figures.get("task_time_count").asLong()).isZero();
    assertThat(figures.get("heap_live_bytes").asLong()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"platform, ''", "virtual, ''", "virtual, ' --at-once 10'"})
  void tasksComputeAndThenWaitForTheServer(String model, String atOnce) throws Exception {
    long before = endedChildrenNs();
    JsonNode figures = done("Mixed", "--model " + model + " --tasks 40 --fibonacci 10 --wait 100ms" + atOnce);
    itsServerIsCounted(endedChildrenNs() - before, figures);
    assertThat(figures.get("tasks_ended").asLong()).isEqualTo(40);
    // Ten at once need four rounds of 100 ms each.
    assertThat(figures.get("wall_ns").asLong()).isGreaterThanOrEqualTo(atOnce.isBlank() ? 100_000_000 : 400_000_000);
    assertThat(figures.get("over_time").get("time_ms").size()).isPositive();
    double mean = figures.get("request_mean_ns").asDouble();
    double last = figures.get("request_last_ns").asDouble();
    assertThat(mean).isPositive();
    assertThat(last).isBetween(mean, figures.get("wall_ns").asDouble());
  }
}
