package echoladder.harness.minimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.SettingsProfile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be needed, before anything is tried. */
final class LiftsTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());

  private static Examination examine(long connections, Start start, @Nullable Long tuples) {
    return Doctor.examine(new Question(connections, Role.BOTH, ServerModel.unnamed(), 0, tuples), start.of(new Facts().facts()));
  }

  @Test
  void theDoctorSaysWhatIsTooLowAndTheProfileGivesTheValues() {
    Start start = Start.parse(List.of("nofile=300", "net.ipv4.ip_local_port_range=20000 20399", "net.core.somaxconn=128"));
    Lifts lifts = Lifts.tooLow(examine(600, start, 1L), SettingsProfile.find(CHECKOUT, "10k"), start.backlog());
    assertThat(lifts.all())
        .extracting(Lift::words)
        .containsExactlyInAnyOrder(
            "nofile 300 -> 700",
            // The profile for so few leaves the ports alone, so the doctor's own command has the value.
            "net.ipv4.ip_local_port_range 20000 20399 -> 10240 65535",
            "net.core.somaxconn 128 -> 4096");
    assertThat(lifts.inTheWay()).isEmpty();
    assertThat(lifts.all()).allSatisfy(lift -> assertThat(lift.why()).hasSize(2));
    assertThat(lifts.all().stream().filter(lift -> lift.name().equals("net.core.somaxconn")).findFirst().orElseThrow().why())
        .containsExactly(
            "lifts:   accept queue: connections that wait for accept(), per listener; the smaller of this and --backlog counts",
            "value:   the servers' --backlog, 4096: 2,000 connects/s through an accept stall of 2 s");
  }

  @Test
  void aValueOfTheProfileThatIsTooLowForTheDoctorIsNotTaken() {
    Start start = Start.parse(List.of("fs.epoll.max_user_watches=1000"));
    Lifts lifts = Lifts.tooLow(examine(15_000, start, null), SettingsProfile.find(CHECKOUT, "10k"), start.backlog());
    assertThat(lifts.all()).extracting(Lift::words).contains("fs.epoll.max_user_watches 1000 -> 30000");
    SettingsProfile low = new SettingsProfile("low", List.of(new Knob("fs.epoll.max_user_watches", "20000", false, List.of())));
    assertThat(Lifts.tooLow(examine(15_000, start, null), low, start.backlog()).all())
        .extracting(Lift::words)
        .contains("fs.epoll.max_user_watches 1000 -> 30000");
  }

  @Test
  void aWholeProfileIsEveryLineThatWouldChangeSomething() {
    Start start = Start.parse(List.of());
    Lifts lifts = Lifts.wholeProfile(examine(600, start, null), SettingsProfile.find(CHECKOUT, "100k"), start.backlog(), _ -> null);
    assertThat(lifts.all())
        .extracting(Lift::words)
        .containsExactly(
            "net.core.somaxconn 4096 -> 16384", "net.ipv4.tcp_max_syn_backlog 2048 -> 32768", "net.core.netdev_max_backlog 1000 -> 20000",
            "net.ipv4.ip_local_port_range 32768 60999 -> 10240 65535", "kernel.pid_max 32768 -> 110000", "vm.max_map_count 65530 -> 221024",
            "backlog 4096 -> 16384");
    SettingsProfile other =
        SettingsProfile.find(CHECKOUT, "1m");
    assertThat(Lifts.wholeProfile(examine(600, start, null), other, start.backlog(), _ -> null).absent())
        .containsExactly("net.netfilter.nf_conntrack_max", "net.netfilter.nf_conntrack_buckets");
  }

  @Test
  void whatNoSettingLiftsIsInTheWay() {
    Examination found =
        Doctor.examine(
            new Question(1_000_000, Role.BOTH, ServerModel.unnamed(), 0, null), new Facts().memory(2L << 30, 1L << 30).facts());
    Lifts lifts = Lifts.tooLow(found, SettingsProfile.find(CHECKOUT, "1m"), 4_096);
    assertThat(lifts.inTheWay()).singleElement().asString().startsWith("cgroup memory: ");
  }

  @Test
  void aSmallerBacklogIsALiftToo() {
    Start start = Start.parse(List.of("backlog=16"));
    assertThat(Lifts.tooLow(examine(600, start, null), SettingsProfile.find(CHECKOUT, "10k"), start.backlog()).all())
        .extracting(Lift::words)
        .containsExactly("backlog 16 -> 600");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nofile", "nofile=", "nofile=63", "nofile=a", "backlog=0", "somaxconn=1", "=1", "../etc=1"})
  void refusesWhatNoHostHas(String from) {
    assertThatThrownBy(() -> Start.parse(List.of(from))).isInstanceOf(Refusal.class).hasMessageStartingWith("--from " + from + ": ");
  }
}
