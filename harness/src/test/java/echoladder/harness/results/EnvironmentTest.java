package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in environment.json, on whatever host this test runs. */
class EnvironmentTest {
  private static final Map<String, Set<String>> THERE =
      Map.of(
          "kernel",
              Set.of(
                  "release", "version", "architecture", "clocksource", "transparent_hugepage", "command_line", "hz", "preemption",
                  "io_uring_disabled"),
          "cpu",
              Set.of(
                  "model", "processors", "processors_online", "threads_per_core", "microcode", "caches", "mhz_most", "governor", "boost",
                  "idle_driver", "idle_governor", "haltpoll", "mitigations"),
          "network",
              Set.of(
                  "busy_poll_us", "busy_read_us", "congestion_control", "default_qdisc", "qdiscs", "rps_masks", "conntrack_max",
                  "ip_tables", "nf_tables"),
          "moment", Set.of("load_average", "mhz", "conntrack_connections"));

  @TempDir private Path dir;

  private static Map<?, ?> part(Map<String, @Nullable Object> environment, String name) {
    return (Map<?, ?>) Objects.requireNonNull(environment.get(name), name);
  }

  @Test
  void eachFactIsThereAndWhatTheHostDoesNotShowIsNullWithItsReason() {
    Map<String, @Nullable Object> environment = Environment.read(new Checkout(dir));
    Map<?, ?> notShown = part(environment, "not_shown");
    THERE.forEach(
        (group, names) -> {
          Map<?, ?> facts = part(environment, group);
          names.forEach(name -> assertThat(facts.containsKey(name)).as("%s.%s", group, name).isTrue());
          names.forEach(
              name ->
                  assertThat(notShown.containsKey(group + "." + name))
                      .as("%s.%s: %s, %s", group, name, facts.get(name), notShown)
                      .isEqualTo(facts.get(name) == null));
        });
    assertThat(environment).containsKeys("lab", "host_of_lab");
    // Every Linux shows these to everybody.
    assertThat(part(environment, "kernel").get("command_line")).asString().isNotEmpty();
    assertThat(part(environment, "moment").get("load_average")).asString().matches("[\\d.]+ [\\d.]+ [\\d.]+");
    assertThat((Map<?, ?>) part(environment, "network").get("rps_masks")).isNotNull();
    Map<?, ?> variables = part(environment, "variables");
    for (String name : List.of("JAVA_TOOL_OPTIONS", "GODEBUG", "GOMAXPROCS", "GOGC", "GOMEMLIMIT")) {
      assertThat(variables.containsKey(name)).as(name).isTrue();
      String set = System.getenv(name);
      assertThat(variables.get(name) == null).as(name).isEqualTo(set == null);
    }
  }

  @Test
  void aReleaseSaysOfWhichCommitItIsAndNoRepositoryAroundItDoes() throws IOException {
    Path inACheckout = Files.createDirectories(Path.of("target/release-" + dir.getFileName()));
    Path file = inACheckout.resolve("RELEASE");
    try {
      for (String dirty : List.of("true", "false")) {
        Files.writeString(file, "version=1.2.3\ncommit=0123abcd\ndirty=" + dirty + "\n");
        assertThat(Commit.of(new Checkout(inACheckout))).isEqualTo(new Commit("0123abcd", Boolean.valueOf(dirty)));
      }
      Map<?, ?> ladder = part(Environment.read(new Checkout(inACheckout)), "ladder");
      assertThat(ladder.get("git_commit")).isEqualTo("0123abcd");
      assertThat(ladder.get("git_dirty")).isEqualTo(false);
      Files.writeString(file, "version=1.2.3\ncommit=\n");
      assertThat(Commit.of(new Checkout(inACheckout))).as("made without git").isEqualTo(new Commit(null, null));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(inACheckout);
    }
  }

  @Test
  void ofTheCommandLineIsKeptWhatTheKernelHeedsAndNoNameOrSecret() {
    assertThat(KernelFacts.commandLine("quiet  root=UUID=12-34 ip=10.0.0.2::10.0.0.1:255.0.0.0:host7:eth0 preempt=full a.token=x isolcpus=1 -- --init x\n"))
        .isEqualTo("quiet root=... ip=... preempt=full a.token=... isolcpus=1");
  }

  @Test
  void preemptionIsThatInForceElseThatAskedForElseThatBuiltIn() {
    List<String> config = List.of("CONFIG_PREEMPT_BUILD=y", "CONFIG_PREEMPT_NONE=y", "# CONFIG_PREEMPT is not set", "CONFIG_PREEMPT_DYNAMIC=y", "CONFIG_HZ=250");
    assertThat(KernelFacts.preemption("none voluntary (full) lazy", "preempt=none", config)).isEqualTo("full");
    assertThat(KernelFacts.preemption(null, "quiet preempt=voluntary", config)).isEqualTo("voluntary");
    assertThat(KernelFacts.preemption(null, "quiet", config)).isEqualTo("none");
    assertThat(KernelFacts.preemption(null, null, List.of("CONFIG_PREEMPT=y"))).isEqualTo("full");
    assertThat(KernelFacts.preemption(null, null, List.of())).isNull();
    assertThat(KernelFacts.hz(config)).isEqualTo(250);
    assertThat(KernelFacts.hz(List.of())).isNull();
  }

  @Test
  void masksOfReceiveQueuesAreByInterface() throws IOException {
    Files.createDirectories(dir.resolve("net/lo/queues/rx-0"));
    Files.createDirectories(dir.resolve("net/lo/queues/tx-0"));
    Files.writeString(dir.resolve("net/lo/queues/rx-0/rps_cpus"), "3\n");
    assertThat(NetworkFacts.rpsMasks(dir.resolve("net"))).containsExactly(Map.entry("lo/rx-0", "3"));
    assertThat(NetworkFacts.rpsMasks(dir.resolve("none"))).isNull();
  }
}
