package echoladder.harness.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LabMarkTest {
  private static final List<String> UML = List.of("processor\t: 0", "vendor_id\t: User Mode Linux", "model name\t: UML");
  private static final List<String> METAL = List.of("processor\t: 0", "vendor_id\t: GenuineIntel");
  private static final Map<String, String> TOLD = Map.of(LabMark.VARIABLE, "user-mode-linux:4294967296");

  @Test
  void theKernelDecidesNotTheVariable() {
    assertThat(LabMark.of(METAL, TOLD, "6.18.0", OptionalLong.of(1))).isNull();
    assertThat(Objects.requireNonNull(LabMark.of(UML, Map.of(), "6.1.0", OptionalLong.of(1_024))).memoryBytes())
        .isEqualTo(1L << 20);
  }

  @Test
  void itSaysWhatMayBeQuotedAndWhatMayNot() {
    LabMark mark = Objects.requireNonNull(LabMark.of(UML, TOLD, "6.1.0", OptionalLong.empty()));
    assertThat(mark)
        .isEqualTo(
            new LabMark(
                "user-mode-linux", "6.1.0", 4L << 30, List.of("limits", "memory", "failure_modes"),
                List.of("times", "cpu")));
  }

  /** A run over a network with a delay may be quoted for the times of that; one of no lab is as it is. */
  @Test
  void timesOverADelayMayBeQuoted() {
    LabMark mark = Objects.requireNonNull(LabMark.of(UML, TOLD, "6.1.0", OptionalLong.empty()));
    LabMark over = Objects.requireNonNull(LabMark.in(LabMark.overNetwork(Map.of("lab", mark.record()))));
    assertThat(over.mayClaim()).containsExactly("limits", "memory", "failure_modes", "network_times");
    assertThat(over.mayNotClaim()).containsExactly("times", "cpu");
    assertThat(LabMark.mayClaim(over, Quotable.NETWORK_TIMES)).isTrue();
    assertThat(LabMark.mayClaim(over, Quotable.TIMES)).isFalse();
    assertThat(LabMark.overNetwork(Map.of("kernel", "6.18"))).isEqualTo(Map.of("kernel", "6.18"));
  }
}
