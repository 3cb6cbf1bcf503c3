package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tuning by processes that get a SIGKILL: on a folder, and on the kernel's own settings in a network namespace. */
final class TuningKilledIT {
  /** Steps of an apply of four settings are 12, so these lie at its beginning, in each part of a change, and behind. */
  private static final int[] DEATHS = {0, 1, 2, 5, 7, 11};

  private static final String PROFILE =
      """
      net.core.somaxconn = 12345
      net.ipv4.tcp_max_syn_backlog = 8192
      net.ipv4.ip_local_port_range = 20000 20999
      net.ipv4.ip_local_reserved_ports = 20100-20199
      """;

  private static final List<String> KEYS =
      List.of(
          "net.core.somaxconn",
          "net.ipv4.tcp_max_syn_backlog",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_local_reserved_ports");

  @TempDir private Path dir = Path.of("");

  private record Ended(int status, String said) {}

  private static Ended run(List<String> argv) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), said.trim());
  }

  private List<String> tuning(List<String> prefix, String verb, Path root, int death) throws IOException {
    Path profile = Files.writeString(dir.resolve("p.conf"), PROFILE);
    List<String> argv = new ArrayList<>(prefix);
    argv.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            TuningProcess.class.getName(),
            verb,
            root.toString(),
            dir.resolve("state").toString(),
            profile.toString(),
            Integer.toString(death)));
    return argv;
  }

  private static void add(String namespace) throws IOException, InterruptedException {
    assertThat(run(List.of("ip", "netns", "add", namespace))).isEqualTo(new Ended(0, ""));
  }

  @Test
  void afterSigkillOnAFolder() throws Exception {
    FakeSys sys = new FakeSys(dir.resolve("sys"), "b001");
    for (int death : DEATHS) {
      assertThat(run(tuning(List.of(), "apply", sys.root, death)).status()).isEqualTo(128 + 9);
      assertThat(run(tuning(List.of(), "restore", sys.root, -1))).isEqualTo(new Ended(0, ""));
      assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
    }
  }

  @Needs({Need.IP, Need.NAMESPACES})
  @Test
  void afterSigkillInANetworkNamespace() throws Exception {
    String name = "echo-ladder-" + ProcessHandle.current().pid();
    add(name);
    try {
      List<String> inside = List.of("ip", "netns", "exec", name);
      List<String> before = values(inside);
      List<String> hosts = values(List.of());
      Path root = Path.of("/proc/sys");
      for (int death : DEATHS) {
        assertThat(run(tuning(inside, "apply", root, death)).status()).isEqualTo(128 + 9);
        // A restore that dies as well, then one that does not.
        run(tuning(inside, "restore", root, death % 3));
        assertThat(run(tuning(inside, "restore", root, -1))).isEqualTo(new Ended(0, ""));
        assertThat(values(inside)).isEqualTo(before);
      }
      assertThat(run(tuning(inside, "apply", root, -1))).isEqualTo(new Ended(0, ""));
      assertThat(values(inside)).containsExactly("12345", "8192", "20000\t20999", "20100-20199");
      assertThat(values(List.of())).isEqualTo(hosts);
      // The namespace's old values are not for the host's.
      assertThat(run(tuning(List.of(), "restore", root, -1)).said()).contains("is of network namespace net:[");
      assertThat(run(tuning(inside, "restore", root, -1))).isEqualTo(new Ended(0, ""));
      assertThat(values(inside)).isEqualTo(before);
    } finally {
      assertThat(run(List.of("ip", "netns", "del", name)).status()).isZero();
    }
  }

  /** The kernel gives the number of a namespace that is gone to a later one, within a few here. */
  @Needs({Need.IP, Need.NAMESPACES})
  @Test
  void anotherNamespaceOfTheSameNumberIsNotWrittenTo() throws Exception {
    String name = "echo-ladder-n-" + ProcessHandle.current().pid();
    List<String> inside = List.of("ip", "netns", "exec", name);
    Path root = Path.of("/proc/sys");
    add(name);
    try {
      long number = number(name);
      assertThat(run(tuning(inside, "apply", root, -1))).isEqualTo(new Ended(0, ""));
      for (int i = 0; i == 0 || (i < 500 && number(name) != number); i++) {
        run(List.of("ip", "netns", "del", name));
        run(List.of("ip", "netns", "add", name));
      }
      assumeTrue(number(name) == number, "500 namespaces later none had the number of the first");
      List<String> before = values(inside);
      assertThat(run(tuning(inside, "restore", root, -1)).said())
          .contains("nothing was put back", "is of network namespace net:[" + number + "] cookie ");
      assertThat(values(inside)).isEqualTo(before);
      // What is set there now is that namespace's own, with a journal of its own.
      assertThat(run(tuning(inside, "apply", root, -1))).isEqualTo(new Ended(0, ""));
      assertThat(run(tuning(inside, "restore", root, -1))).isEqualTo(new Ended(0, ""));
      assertThat(values(inside)).isEqualTo(before);
    } finally {
      run(List.of("ip", "netns", "del", name));
    }
  }

  private static long number(String namespace) throws IOException {
    return (Long) Files.getAttribute(Path.of("/run/netns", namespace), "unix:ino");
  }

  @Needs({Need.IP, Need.NAMESPACES})
  @Test
  void aRefusedValueIsUndoneInANetworkNamespace() throws Exception {
    String name = "echo-ladder-r-" + ProcessHandle.current().pid();
    add(name);
    try {
      List<String> inside = List.of("ip", "netns", "exec", name);
      List<String> before = values(inside);
      List<String> argv = tuning(inside, "apply", Path.of("/proc/sys"), -1);
      Files.writeString(dir.resolve("p.conf"), "net.core.somaxconn = 777\nnet.ipv4.ip_local_port_range = 9 1\n");
      assertThat(run(argv).said())
          .contains("net.ipv4.ip_local_port_range could not be set from '32768 60999' to '9 1': Invalid argument")
          .contains("what was set before it has been put back");
      assertThat(values(inside)).isEqualTo(before);
      assertThat(dir.resolve("state")).isDirectoryContaining("glob:**/tune.lock").isDirectoryNotContaining("glob:**/*.jsonl");
    } finally {
      assertThat(run(List.of("ip", "netns", "del", name)).status()).isZero();
    }
  }

  private static List<String> values(List<String> prefix) throws Exception {
    List<String> argv = new ArrayList<>(prefix);
    argv.add("cat");
    KEYS.forEach(key -> argv.add("/proc/sys/" + key.replace('.', '/')));
    Ended read = run(argv);
    assertThat(read.status()).as(read.said()).isZero();
    return read.said().lines().toList();
  }
}
