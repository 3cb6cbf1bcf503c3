package echoladder.harness.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which files of modules a lab loads, and in which order. */
class LabModulesTest {
  private static final List<String> DEPENDENCIES =
      List.of(
          "kernel/net/sched/sch_netem.ko:",
          "kernel/net/bridge/bridge.ko: kernel/net/802/stp.ko kernel/net/llc/llc.ko",
          "kernel/net/ipv4/tcp_bbr.ko:");

  @Test
  void whatAModuleNeedsComesFirst() {
    assertThat(LabModules.files(DEPENDENCIES, "sch_netem")).containsExactly("kernel/net/sched/sch_netem.ko");
    // As depmod writes them: of two that are needed, the later one is needed by the earlier.
    assertThat(LabModules.files(DEPENDENCIES, "bridge"))
        .containsExactly("kernel/net/llc/llc.ko", "kernel/net/802/stp.ko", "kernel/net/bridge/bridge.ko");
    assertThat(LabModules.files(DEPENDENCIES, "netem")).isEmpty();
  }

  @Test
  void outsideOfALabNothingIsLoaded() {
    assertThatCode(() -> LabModules.load("none-such")).doesNotThrowAnyException();
  }
}
