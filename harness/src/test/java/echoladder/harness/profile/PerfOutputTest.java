package echoladder.harness.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What perf 6.1 printed of an echo between two threads of Python, as it was recorded; and of stacks. */
class PerfOutputTest {
  private static String recorded(String name) throws IOException {
    return Files.readString(Path.of("src/test/resources/perf", name));
  }

  @Test
  void systemCallsOfAllThreadsAreAddedUp() throws IOException {
    assertThat(TraceSummary.parse(recorded("python.trace.txt")))
        .containsExactly(
            new TraceSummary.Calls("recvfrom", 1_074 + 1_074, 0), new TraceSummary.Calls("sendto", 1_074 + 1_074, 0),
            new TraceSummary.Calls("clock_nanosleep", 1_075, 0), new TraceSummary.Calls("futex", 167 + 235, 17 + 122));
  }

  @Test
  void aServerThatMadeNoCallHasNone() {
    assertThat(TraceSummary.parse("\n Summary of events:\n\n")).isEmpty();
    assertThatThrownBy(() -> TraceSummary.parse("Error: No permission")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("No permission");
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
        """;
    Map<String, Long> stacks = Stacks.folded(script);
    assertThat(stacks)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "read-poller 1;void sun.nio.ch.EPoll.wait(int, long)_[j];epoll_wait;entry_SYSCALL_64_after_hwframe_[k];finish_task_switch.isra.0_[k]",
                2L, "main;[unknown]", 1L));
    assertThat(Stacks.parse(Stacks.text(stacks))).isEqualTo(stacks);
    assertThatThrownBy(() -> Stacks.parse("a;b")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("a;b");
  }
}
