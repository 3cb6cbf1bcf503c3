package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharesTest {
  /** Hosts c1, c2 and so on by how many connections each can carry, {@code any} or a number, with {@code xN} behind it where it has N processors. */
  private static Map<String, Shares.Able> hosts(String text) {
    Map<String, Shares.Able> all = new LinkedHashMap<>();
    for (String one : text.split(" ", -1)) {
      String[] parts = one.split("x", -1);
      long most = parts[0].equals("any") ? Long.MAX_VALUE : Long.parseLong(parts[0]);
      all.put("c" + (all.size() + 1), new Shares.Able(most, parts.length > 1 ? Integer.parseInt(parts[1]) : 1));
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "600, any any any, '{c1=200, c2=200, c3=200}'",
    "200, any any any, '{c1=67, c2=67, c3=66}'",
    "1, any any, '{c1=1}'",
    "100000, 28232 any any, '{c1=28232, c2=35884, c3=35884}'",
    "100, 10 20 any, '{c1=10, c2=20, c3=70}'",
    "100, 0 any, '{c2=100}'",
    "30, 10 20, '{c1=10, c2=20}'",
    "7, 7, '{c1=7}'"
  })
  void eachHasAnEqualPartOrWhatItCanCarry(int connections, String can, String expected) {
    assertThat(Shares.of(connections, hosts(can))).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "600, anyx2 anyx4 anyx6, '{c1=100, c2=200, c3=300}'",
    "10, anyx1 anyx100, '{c1=1, c2=9}'",
    "601, anyx2 anyx4, '{c1=201, c2=400}'",
    "100000, 28232x8 anyx2 anyx6, '{c1=28232, c2=17942, c3=53826}'",
    "1000000, anyx4 anyx4, '{c1=500000, c2=500000}'"
  })
  void aHostWithMoreProcessorsHasMore(int connections, String can, String expected) {
    assertThat(Shares.of(connections, hosts(can))).hasToString(expected);
  }

  @Test
  void whatAllTogetherCannotCarryIsRefusedWithWhatEachCan() {
    assertThatThrownBy(() -> Shares.of(60_000, hosts("28232 14116")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the client hosts carry 42,348 connections together, not 60,000: c1 28,232, c2 14,116. Half of a host's ports count, for each of its"
                + " addresses, as beyond half connect() searches long; './ladder doctor --connections 60000 --role client --explain' on a host"
                + " says which limit it is");
  }

  @Test
  void theyAlwaysAddUpWithinWhatEachCanCarry() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      Map<String, Shares.Able> can = new LinkedHashMap<>();
      for (int host = 0; host <= random.nextInt(6); host++) {
        can.put("h" + host, new Shares.Able(random.nextLong(1, 1_000), random.nextInt(1, 65)));
      }
      int all = (int) can.values().stream().mapToLong(Shares.Able::most).sum();
      int connections = random.nextInt(1, all + 1);
      Map<String, Integer> shares = Shares.of(connections, can);
      assertThat(shares.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(connections);
      assertThat(shares).allSatisfy((host, share) -> assertThat((long) share).isBetween(1L, Objects.requireNonNull(can.get(host)).most()));
    }
  }

  /** A client of the default range has 14,116 ports at one address; with churn each connection takes more than one. */
  @ParameterizedTest
  @CsvSource({"1, 14116", "1.5, 9410", "14117, 0"})
  void portsOfConnectionsThatComeAndGoArePlanned(double portsEach, long carried) {
    Examination found = Doctor.examine(new Question(10_000, Role.CLIENT, ServerModel.unnamed(), 0, 1L), new Facts().facts());
    assertThat(Shares.carried(found, portsEach)).isEqualTo(carried);
  }

  @Test
  void otherLimitsDoNotDependOnPorts() {
    Examination found = Doctor.examine(new Question(10_000, Role.CLIENT, ServerModel.unnamed(), 0, 1_000L), new Facts().nofile(1_024).facts());
    assertThat(Shares.carried(found, 1.5)).isEqualTo(found.connectionsNow()).isLessThan(1_000_000);
  }
}
