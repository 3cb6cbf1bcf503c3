package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What netem does to a run: a lab has it, and loads the module itself. */
@Tag("long")
@Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.TC, Need.NSENTER, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
class NetworkInLabIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: far
      question: Are packets late and lost, as asked?
      servers: [floor]
      network: {delay: 40ms, loss: 5%}
      rungs: [10]
      repeats: 1
      load: {rate: {total: 20/s}, message: 8KiB}
      phases: {connect_timeout: 2m, warm_up_min: 0s, warm_up_max: 60s, steady: 20s, drain: 20s}
      bounds: {response_time_p99: 1h, server_start: 5m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  /** Runs a study called far in a lab; the harness's verdict must be that all of it is valid. */
  private JsonNode measured(String text) throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), text);
    List<String> lab = List.of("lab", "--memory", "2G", "--timeout", "20m", "--few-mappings", "--write", dir.toString(), "--");
    List<String> inside =
        List.of(
            Jdks.java().toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + HOME, "-cp", System.getProperty("java.class.path"), "echoladder.harness.Ladder",
            "run", study.toString(), "--results", dir.resolve("results").toString());
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, Stream.concat(lab.stream(), inside.stream()).toArray(String[]::new))) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains("and medians of the server time of 10 ms and more over its network (with some ms of the lab's in them), not for other times and CPU");
    }
    return JsonMapper.shared().readTree(RunBelow.folder(dir.resolve("results"), "far").resolve("run.json"));
  }

  /** An answer that nobody acknowledges is given up after the server's own bound, whatever the server's kernel has. */
  @Test
  void aCutLinkIsNoticedByTheUserTimeout() throws Exception {
    JsonNode rung =
        measured(
            STUDY.replace("[floor]", "[{name: netty, options: {user-timeout-ms: 3000}}]")
                .replace("loss: 5%", "cut: owed, cut_most: 2m").replace("steady: 20s", "steady: 5s"))
            .at("/rungs/0");
    assertThat(rung.get("cut_connections").asInt()).isEqualTo(10);
    assertThat(rung.get("cut_noticed").asInt()).isEqualTo(10);
    assertThat(rung.get("cut_all_noticed_seconds").asDouble()).isGreaterThan(1.5);
    assertThat(rung.get("network_drops").asInt()).isZero();
  }

  @Test
  void packetsAreLateAndLostAsAsked() throws Exception {
    JsonNode run = measured(STUDY);
    assertThat(run.at("/environment/lab/may_claim").valueStream().map(JsonNode::asString)).contains("network_times");
    JsonNode rung = run.at("/rungs/0");
    assertThat(rung.at("/process/sysctl/netem at link-server").asString()).isEqualTo("limit 1000000 delay 20000us loss 5.0000000%");
    assertThat(rung.get("server_time_p50_ns").asLong()).isGreaterThanOrEqualTo(40_000_000);
    assertThat(rung.get("network_drops").asLong()).isPositive();
    assertThat(rung.get("tcp_retransmits_per_echo").asDouble()).isPositive();
  }
}
