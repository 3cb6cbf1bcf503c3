package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The real piece of work, on a processor of this host. How long it takes is the host's affair. */
class HostWorkTest {
  private static final String SCHED_IDLE = "5";

  private static CpuList first() {
    CpuList allowed = Objects.requireNonNull(CpuAffinity.ofThread());
    return CpuList.of(allowed.stream().min().orElseThrow());
  }

  /** The policy of each of its threads, by /proc. Tests beside this one may have some too. */
  private static List<String> policies() throws Exception {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.map(HostWorkTest::stat).filter(stat -> stat.contains("(host-work-")).map(HostWorkTest::policy).toList();
    }
  }

  private static String stat(Path task) {
    try {
      return Files.readString(task.resolve("stat"));
    } catch (IOException e) {
      return "";
    }
  }

  /** Field 41 of proc_pid_stat(5). */
  private static String policy(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[41 - 3];
  }

  @Test
  void saysWhatAPieceTakesOnceThereWereEnough() throws Exception {
    // On a busy processor the first stretch may be too short: each piece comes 50 ms after the last one, or later.
    long seconds = 2;
    while (!saysAfter(seconds) && seconds < 64) {
      seconds *= 2;
    }
    assertThat(seconds).isLessThan(64);
  }

  private static boolean saysAfter(long seconds) throws Exception {
    try (HostWork work = HostWork.on(first())) {
      assertThat(policies()).as("whatever wakes takes the processor from it").isNotEmpty().containsOnly(SCHED_IDLE);
      work.begin();
      Thread.sleep(1_000 * seconds);
      OptionalLong ns = work.endNs();
      assertThat(ns.orElse(1)).isPositive();
      return ns.isPresent();
    }
  }

  @Test
  void aStretchThatWasTooShortOrNeverBeganSaysNothing() {
    try (HostWork work = HostWork.on(first())) {
      assertThat(work.endNs()).isEmpty();
    }
    HostWork work = HostWork.on(first());
    work.begin();
    assertThat(work.endNs()).isEmpty();
  }

  @Test
  void aProcessorThatIsNotThereSaysNothing() {
    try (HostWork work = HostWork.on(CpuList.of(1_000))) {
      work.begin();
      assertThat(work.endNs()).isEmpty();
    }
  }
}
