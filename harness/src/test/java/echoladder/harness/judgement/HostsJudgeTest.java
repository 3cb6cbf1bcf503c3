package echoladder.harness.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.results.RungHost;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsJudgeTest {
  private static final Study.Thresholds BOUNDS = Study.Thresholds.DEFAULT;
  private static final long US = 1_000;

  private static RungHost client(String name, long p50Us, double idle, double steal) {
    return new RungHost(name, "clients", 200, 200, 100.0, p50Us * US, null, null, 10.0, 1L, idle, steal, 0L, 0L, 0L);
  }

  private static List<Reason> doubts(boolean spins, RungHost... hosts) {
    return HostsJudge.doubts(Arrays.asList(hosts), BOUNDS, spins);
  }

  private static List<RungHost> clients(String p50sUs) {
    List<RungHost> hosts = new ArrayList<>();
    hosts.add(new RungHost("s1", "servers", null, null, null, null, null, null, null, null, 0.0, 0.9, 0L, 0L, 0L));
    for (String p50 : p50sUs.split(" ", -1)) {
      hosts.add(client("c" + hosts.size(), Long.parseLong(p50), 0.5, 0));
    }
    return hosts;
  }

  @ParameterizedTest
  @CsvSource({
    "200 210 190, ''",
    "200, ''",
    "200 599 900, ''",
    "200 210 1100, ''",
    "200 210 1300, c3",
    "4000 4100 200, c3",
    "2000 2100 5900, ''",
    "200 5000, c1 c2"
  })
  void aClientHostFarFromItsPeersIsNamed(String p50sUs, String named) {
    List<Reason> doubts = HostsJudge.doubts(clients(p50sUs), BOUNDS, false);
    assertThat(doubts).allMatch(doubt -> doubt.reason() == ReasonCode.HOSTS_DIFFER);
    assertThat(doubts.stream().map(doubt -> doubt.detail().replaceFirst(".*client host (c\\d) was.*", "$1"))).isEqualTo(
        named.isEmpty() ? List.of() : List.of(named.split(" ", -1)));
  }

  @Test
  void aFullOrDisturbedClientHostIsNamedAndThePollingOneIsNotFull() {
    RungHost full = client("c1", 200, 0.01, 0);
    RungHost robbed = client("c2", 200, 0.5, 0.2);
    assertThat(doubts(false, full, robbed)).extracting(Reason::reason).containsExactly(ReasonCode.CLIENT_SATURATED, ReasonCode.HOST_TOO_NOISY);
    assertThat(doubts(false, full, robbed).getFirst().detail()).startsWith("1.00 % of the CPU of client host c1 was idle");
    assertThat(doubts(false, full, robbed).getLast().detail()).startsWith("20.00 % of the CPU of client host c2 was taken by the hypervisor");
    assertThat(doubts(true, full)).isEmpty();
  }
}
