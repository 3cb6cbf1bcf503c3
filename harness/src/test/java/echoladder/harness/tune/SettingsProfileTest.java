package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SettingsProfileTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());

  static List<String> names() {
    return SettingsProfile.names(CHECKOUT);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyKnobSaysWhatWhyAndHowItShows(String name) {
    for (Knob knob : SettingsProfile.find(CHECKOUT, name).knobs()) {
      assertThat(knob.comments())
          .as(name + ": " + knob.key())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("lifts:   "),
              line -> assertThat(line).startsWith("default: "),
              line -> assertThat(line).startsWith("value:   "),
              line -> assertThat(line).startsWith("counter: "));
    }
  }

  /** The folder has them, and one named after a number of connections is one of the ladder that starts at 10k. */
  @Test
  void theSizesAreThoseOfTheFolder() {
    List<String> sized =
        names().stream()
            .filter(name -> name.matches("\\d+[km]"))
            .sorted(Comparator.comparingLong(SettingsProfile::connections))
            .toList();
    assertThat(SettingsProfile.SIZES).isEqualTo(sized);
  }

  @ParameterizedTest
  @CsvSource({"1,10k", "10000,10k", "10001,100k", "100000,100k", "150000,200k", "200001,1m", "5000000,1m"})
  void theNextHigherIsTaken(long connections, String name) {
    assertThat(SettingsProfile.forConnections(connections)).isEqualTo(name);
  }

  @Test
  void aProfileContainsTheOneBeforeAndLowersNothingOfIt() {
    Map<String, String> before = new HashMap<>();
    for (String name : SettingsProfile.SIZES) {
      Map<String, String> values = new HashMap<>();
      SettingsProfile.find(CHECKOUT, name).knobs().forEach(knob -> values.put(knob.key(), knob.value()));
      assertThat(values.keySet()).as(name).containsAll(before.keySet());
      before.forEach(
          (key, value) ->
              assertThat(values.get(key)).as(name + ": " + key).isEqualTo(
                      Values.covering(key, value, values.getOrDefault(key, ""))));
      before.putAll(values);
    }
    assertThat(before).hasSize(14);
  }

  @Needs(Need.SYSCTL)
  @ParameterizedTest
  @MethodSource("names")
  void sysctlItselfReadsIt(String name) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sysctl", "--dry-run", "-p", CHECKOUT.root() + "/sysctl/" + name + ".conf")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said.lines().toList())
        .isEqualTo(
            SettingsProfile.find(CHECKOUT, name).knobs().stream().map(knob -> knob.key() + " = " + knob.value()).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net.core.somaxconn 1             | p:1: 'net.core.somaxconn 1' is no setting",
        "net.core.somaxconn =             | is no setting",
        "somaxconn = 1                    | is no setting",
        "../../etc/passwd = 1             | is no setting",
        "net..core = 1                    | is no setting",
        "# only a comment                 | holds no setting",
      })
  void refusesWhatIsNoSetting(String text, String said) {
    assertThatThrownBy(() -> SettingsProfile.parse(text, "p", "p")).isInstanceOf(Refusal.class).hasMessageContaining(said);
  }

  @Test
  void refusesAKeyTwice() {
    assertThatThrownBy(() -> SettingsProfile.parse("vm.swappiness = 1\nvm/swappiness = 2", "p", "p"))
        .hasMessageContaining("p:2: vm.swappiness stands here a second time");
  }

  @ParameterizedTest
  @CsvSource({
    "net.core.somaxconn,4096,1024,4096",
    "net.core.somaxconn,4096,65535,65535",
    "fs.file-max,9223372036854775807,2010240,9223372036854775807",
    "net.ipv4.tcp_mem,1 5 9,2 4 9,2 5 9",
    "net.ipv4.ip_local_port_range,32768 60999,10240 65535,10240 65535",
    "net.ipv4.ip_local_port_range,1024 50000,10240 65535,1024 65535",
    "net.ipv4.tcp_congestion_control,cubic,bbr,bbr",
    "net.ipv4.ip_local_reserved_ports,'',9000,9000",
    "net.ipv4.ip_local_reserved_ports,8080,9000,'8080,9000'",
    "net.ipv4.ip_local_reserved_ports,9000,8080,'8080,9000'",
    "net.ipv4.ip_local_reserved_ports,'8000-8009,9000','8005-8010,8999','8000-8010,8999-9000'",
  })
  void coversBoth(String key, String present, String wanted, String covering) {
    assertThat(Values.covering(key, present, wanted)).isEqualTo(covering);
  }
}
