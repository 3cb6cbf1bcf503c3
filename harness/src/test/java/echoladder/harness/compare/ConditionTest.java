package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a condition may say, and what is said of one that says something else. */
class ConditionTest {
  private static final List<String> LABELS = List.of("A", "B");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "B/A server_cpu_us_per_echo > 1.05|B|A|true|1.05",
        " B / A  server_cpu_us_per_echo<0.9 |B|A|false|0.9",
        "A/B server_time_p99_ns > 2|A|B|true|2",
        "B server_time_p99_ns > 2ms|B||true|2000000",
        "B server_time_p99_ns > 1.5 s|B||true|1500000000",
        "A server_cpu_us_per_echo > 40us|A||true|40",
        "A server_cpu_us_per_echo > 40µs|A||true|40",
        "A server_rss_bytes > 64MiB|A||true|67108864",
        "A achieved_per_s < 2400/s|A||false|2400",
        "A host_idle_share < 5%|A||false|0.05",
        "A host_idle_share < 0.05|A||false|0.05",
        "A server_threads > 100|A||true|100",
      })
  void isRead(String text, String label, String over, boolean above, double bound) {
    Condition read = Condition.parse(text, LABELS);
    assertThat(List.of(read.label(), read.above(), read.bound())).isEqualTo(List.of(label, above, bound));
    assertThat(read.over()).isEqualTo(over);
    assertThat(read.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server_cpu_us_per_echo > 1.05|it is no condition: it has to be LABEL/LABEL FIGURE > RATIO or LABEL FIGURE > VALUE",
        "B/A server_cpu_us_per_echo >= 1.05|it is no condition",
        "B/A server_cpu_us_per_echo > -1|it is no condition",
        "C/A server_cpu_us_per_echo > 1.05|the run has no server 'C'; it has A, B",
        "b server_time_p99_ns > 2ms|the run has no server 'b'; it has A, B",
        "B/B server_cpu_us_per_echo > 1.05|the ratio of 'B' to itself is 1; name two servers",
        "B/A server_cpu > 1.05|there is no figure 'server_cpu'; the nearest are server_cpu_us_per_echo, ",
        "B/A sever_cpu_us_per_ehco > 1.05|there is no figure 'sever_cpu_us_per_ehco'; the nearest are server_cpu_us_per_echo, ",
        "B/A server_cpu_us_per_echo > 1.05us|a ratio of two servers has no unit, and the bound has 'us'; 1.05 is 5 % more",
        "B/A server_cpu_us_per_echo > 0|1.05 is 5 % more, 0.95 is 5 % less",
        "B server_time_p99_ns > 2|the bound of server_time_p99_ns needs a unit, one of ms, ns, s, us, µs, and has none; e.g. 'B server_time_p99_ns > 2ms'",
        "B server_time_p99_ns > 2MiB|needs a unit, one of ms, ns, s, us, µs, and has 'MiB'",
        "B server_rss_bytes > 2ms|needs a unit, one of B, GiB, KiB, MiB, and has 'ms'",
        "B server_threads > 2ms|server_threads is a plain number, and the bound has the unit 'ms'; leave the unit out",
      })
  void isRefusedWithWhatThereIs(String text, String why) {
    assertThatThrownBy(() -> Condition.parse(text, LABELS))
        .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(2))
        .hasMessageStartingWith("--fail-if '" + text.strip() + "': ")
        .hasMessageContaining(why)
        .hasMessageEndingWith("; see docs/regression-guard.md");
  }
}
