package echoladder.harness.breakdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.common.Checkout;
import echoladder.harness.results.UnitCostsRecord.Cost;
import echoladder.harness.results.UnitCostsRecord;
import echoladder.linux.cpu.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UnitCostsTest {
  /** Around nothing it takes 1 µs, and one switch to wake; each round is a little dearer than the one before. */
  private static String lines() {
    StringBuilder lines = new StringBuilder();
    for (int round = 0; round < 3; round++) {
      int more = 100 * round;
      lines.append("2000.0 %d NOTHING 1000.000 1.0000\n".formatted(round));
      lines.append("2000.0 %d READ_NOTHING %d.000 1.0000\n".formatted(round, 1_700 + more));
      lines.append("2000.0 %d SWITCH %d.000 3.0000\n".formatted(round, 9_000 + 2 * more));
      lines.append("2000.0 %d ONE_TURN %d.000 2.0000\n".formatted(round, 11_000 + more));
      lines.append("2000.0 %d SEVERAL_TURNS %d.000 2.0000\n".formatted(round, 17_000 + 4 * more));
      lines.append("2000.0 %d ALLOCATED %d.000 1.0000\n".formatted(round, 5_800 + 16 * more));
    }
    return lines.toString();
  }

  private static double us(UnitCostsRecord costs, UnitCost of) {
    return costs.at(2_000, of.id()).orElseThrow().us();
  }

  @Test
  void oneOfAThingIsWhatItTakesBeyondWakingForNothing() {
    UnitCostsRecord costs = UnitCosts.record(CpuList.parse("0"), lines());
    assertThat(costs.cpus()).isEqualTo("0");
    assertThat(costs.at(2_000, "read_nothing")).contains(new Cost("read_nothing", 0.8, 0.7, 0.9));
    assertThat(us(costs, UnitCost.SWITCH)).as("two were seen").isCloseTo(4.1, within(1e-9));
    assertThat(us(costs, UnitCost.VIRTUAL_TURN)).as("three more of them take 6.3 µs more").isCloseTo(2.1, within(1e-9));
    assertThat(us(costs, UnitCost.CARRIER_WAKE)).as("of 10.1 µs, without the turn and the one switch").isCloseTo(3.9, within(1e-9));
    assertThat(us(costs, UnitCost.ALLOCATED_KIB)).as("of 16 each time").isCloseTo(0.4, within(1e-9));
    assertThat(costs.at(2_000, UnitCost.EPOLL_CTL.id())).as("of which there is no block").isEmpty();
    assertThat(costs.at(10_000, "read_nothing")).as("a rate that was not measured").isEmpty();
  }

  @Test
  void withoutSwitchesNothingIsSaidOfOne() {
    String without = lines().replace(" 3.0000\n", " 1.1000\n");
    UnitCostsRecord costs = UnitCosts.record(null, without);
    assertThat(costs.at(2_000, UnitCost.SWITCH.id())).isEmpty();
    assertThat(costs.at(2_000, UnitCost.CARRIER_WAKE.id())).isEmpty();
    assertThatThrownBy(() -> UnitCosts.record(null, "2000.0 0 NOTHING")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eachThingHasItsRowInThePageOfMethods() throws IOException {
    String page = Files.readString(Checkout.find().root().resolve("docs/METHOD.md"));
    assertThat(UnitCost.values()).allSatisfy(of -> assertThat(page).contains("| `" + of.id() + "` |"));
  }

  /** Real calls, real threads: that each is measured, and not what it costs. */
  @Test
  void eachThingIsMeasured() {
    List<String> trouble = new ArrayList<>();
    String before = System.setProperty(UnitCosts.PROPERTY, "10");
    try {
      UnitCostsRecord costs = Objects.requireNonNull(UnitCosts.measure(null, List.of(2_000.0), _ -> {}, trouble::add), trouble::toString);
      assertThat(costs.rates()).singleElement().satisfies(of -> assertThat(of.costs()).extracting(Cost::name).contains("read_nothing", "epoll_ctl", "epoll_wait", "allocated_kib"));
    } finally {
      if (before == null) {
        System.clearProperty(UnitCosts.PROPERTY);
      } else {
        System.setProperty(UnitCosts.PROPERTY, before);
      }
    }
    assertThat(trouble).isEmpty();
  }
}
