package echoladder.harness.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.results.ProfileRecord.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What perf 6.1 printed of an echo between two threads of Python, as it was recorded; and of stacks. */
class PerfOutputTest {
  private static String recorded(String name) throws IOException {
    return Files.readString(Path.of("src/test/resources/perf", name));
  }

  /** A second of 10,000 echoes on virtual threads. */
  private static final String CALLS =
      """
      # started on Thu Nov 26 12:48:00 2026

      66000,,raw_syscalls:sys_enter,949508654,100.00,,
      20020,,syscalls:sys_enter_read,949440252,100.00,,
      10000,,syscalls:sys_enter_write,949395195,100.00,,
      15000,,syscalls:sys_enter_epoll_ctl,949395195,100.00,,
      20000,,syscalls:sys_enter_futex,949395195,100.00,,
      0,,syscalls:sys_enter_epoll_pwait,949395195,100.00,,
      10010,,syscalls:sys_exit_read,949395195,100.00,,
      10,,syscalls:sys_exit_futex,949395195,100.00,,
      """;

  @Test
  void systemCallsAreCountedByNameAndThoseThatFailed() {
    List<Count> counts = SystemCallCounters.counts(EventCounts.parse(CALLS), 10_000);
    assertThat(counts)
        .containsExactly(
            new Count("read", 2.002, 1.001), new Count("futex", 2.0, 0.001), new Count("epoll_ctl", 1.5, null),
            new Count("write", 1.0, null), new Count("epoll_pwait", 0.0, null), new Count(SystemCallCounters.OTHERS, 0.098, null));
  }

  @Test
  void onlyCallsThatWereSeenAreCountedInTheEnd() {
    List<String> seen = SystemCallCounters.seen(EventCounts.parse(CALLS));
    assertThat(seen).containsExactly("read", "write", "epoll_ctl", "futex");
    assertThat(SystemCallCounters.options(List.of("write", "read")))
        .as("a filter behind what it is of")
        .containsExactly(
            "-e", "raw_syscalls:sys_enter", "-e", "syscalls:sys_enter_write", "-e", "syscalls:sys_enter_read", "-e", "syscalls:sys_exit_read",
            "--filter", "ret<0");
    assertThat(SystemCallCounters.counters(List.of("write", "read"))).isEqualTo(4);
    assertThat(SystemCallCounters.seen(EventCounts.parse("0,,raw_syscalls:sys_enter,1,100.00,,"))).isEmpty();
  }

  @Test
  void aKernelWithoutACallHasNoCounterForIt() {
    String list = "  syscalls:sys_enter_read   [Tracepoint event]\n  syscalls:sys_exit_read   [Tracepoint event]\n  syscalls:sys_enter_acct   [Tracepoint event]";
    assertThat(SystemCallCounters.known(list)).containsExactly("read");
  }

  @Test
  void anEventThatTheHostDoesNotCountIsNone() throws IOException {
    Map<String, Double> events = EventCounts.parse(recorded("python.stat.csv"));
    assertThat(events)
        .containsEntry("context-switches", 4_472.0)
        .containsEntry("cpu-migrations", 6.0)
        .containsEntry("sched:sched_waking", 2_140.0)
        .doesNotContainKeys("instructions", "cycles");
    assertThatThrownBy(() -> EventCounts.parse("Error: no access")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no access");
  }

  @Test
  void stacksBeginWithTheThreadAndSayWhoseAFrameIs() {
    String script =
        """
        read-poller 1
        \tffffffff813a4413 finish_task_switch.isra.0 ([kernel.kallsyms])
        \tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
        \t          10a974 epoll_wait (/usr/lib/x86_64-linux-gnu/libc.so.6)
        \t    7f00deadbeef void sun.nio.ch.EPoll.wait(int, long) (/tmp/perf-4711.map)

        read-poller 1
        \tffffffff813a4413 finish_task_switch.isra.0 ([kernel.kallsyms])
        \tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
        \t          10a974 epoll_wait (/usr/lib/x86_64-linux-gnu/libc.so.6)
        \t    7f00deadbeef void sun.nio.ch.EPoll.wait(int, long) (/tmp/perf-4711.map)

        main
        \t               0 [unknown] ([unknown])

        loop
        \t            beef [unknown] (/tmp/libnetty.so (deleted))
        """;
    Map<String, Long> stacks = Stacks.folded(script);
    assertThat(stacks)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "read-poller 1;void sun.nio.ch.EPoll.wait(int, long)_[j];epoll_wait;entry_SYSCALL_64_after_hwframe_[k];finish_task_switch.isra.0_[k]",
                2L, "main;[unknown]", 1L, "loop;[unknown]", 1L));
    assertThat(Stacks.parse(Stacks.text(stacks))).isEqualTo(stacks);
    assertThatThrownBy(() -> Stacks.parse("a;b")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("a;b");
  }
}
