package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.options.BlockingOptions;
import echoladder.servers.kit.options.ServerOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine;

class ReadyLineTest {
  @Command(name = "some")
  private static final class Some {
    @Mixin private final ServerOptions options = new ServerOptions();
    @Mixin private final BlockingOptions blocking = new BlockingOptions();
  }

  @Test
  void isOneLineOfJson() {
    ReadyLine line = new ReadyLine(true, "netty", 1, "127.0.0.1", 9000, 9100, Map.of("transport", "epoll"));
    assertThat(line.toJson())
        .isEqualTo(
            "{\"ready\":true,\"server\":\"netty\",\"pid\":1,\"host\":\"127.0.0.1\",\"port\":9000,"
                + "\"metrics_port\":9100,\"config\":{\"transport\":\"epoll\"}}");
  }

  /** Whoever chose them: this JVM was told of none of those that are asked for here. */
  @Test
  void configHoldsTheFlagsOfTheJvmInForce() {
    Map<String, String> flags = JvmFlags.inForce();
    assertThat(Config.ofJvm()).containsEntry("java_flags_in_force", flags);
    assertThat(flags).containsKeys("ThreadStackSize", "ReservedCodeCacheSize", "CICompilerCount").doesNotContainValue("");
    assertThat(List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC")).filteredOn(gc -> "true".equals(flags.get(gc))).hasSize(1);
    assertThat(Long.parseLong(Objects.requireNonNull(flags.get("MaxHeapSize")))).isGreaterThanOrEqualTo(Runtime.getRuntime().maxMemory());
  }

  @Test
  void configHoldsEveryOptionInForceGivenOrNot() {
    Some some = new Some();
    CommandLine line = new CommandLine(some);
    line.parseArgs("--drain", "500ms", "--stop-on-stdin-eof");
    Map<String, Object> expected =
        new HashMap<>(
            Map.of(
                "host", "127.0.0.1", "port", 0, "backlog", 4096, "metrics_port", 0, "drain", "500ms",
                "hiccup_meter", "on", "stop_on_stdin_eof", true, "buffer_bytes", 256, "warm_up_connections", 0, "entry", "stock"));
    expected.putAll(
        Map.of("keep_alive", "off", "traffic", "echo", "push_queue_bytes", 1_048_576, "slow_reader", "disconnect", "push_writer", "queue"));
    expected.putAll(Map.of("tls", "off", "tls_cert", "", "tls_key", ""));
    assertThat(Config.ofOptions(line.getCommandSpec())).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(some.options.drain()).isEqualTo(Duration.ofMillis(500));
    assertThat(some.blocking.bufferBytes()).isEqualTo(256);
  }
}
