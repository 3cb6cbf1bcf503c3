package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.harness.Ladder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verb as a process, under real limits of this host. */
final class DoctorHereTest {
  private static final String GROUPS = "/sys/fs/cgroup/pids";

  private record Ended(int status, String out) {
    JsonNode row(String limit) {
      for (JsonNode row : JsonMapper.shared().readTree(out).path("rows")) {
        if (row.path("limit").asString().equals(limit)) {
          return row;
        }
      }
      throw new AssertionError("no row " + limit + " in " + out);
    }
  }

  /** Runs {@code before} in a shell, then the doctor as ./ladder starts it, after {@code prefix}. */
  private static Ended doctor(String before, String prefix, String options) throws Exception {
    String java =
        "%s '%s/bin/java' -XX:+UseSerialGC -Decholadder.nofile.soft=\"$(ulimit -Sn)\" "
                .formatted(prefix, System.getProperty("java.home"))
            + "-Decholadder.nofile.hard=\"$(ulimit -Hn)\" -cp '%s' %s doctor %s"
                .formatted(System.getProperty("java.class.path"), Ladder.class.getName(), options);
    return run(before + java);
  }

  private static Ended run(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out);
  }

  @Test
  void underAHardLimitOf20000() throws Exception {
    assumeTrue(Long.parseLong(run("ulimit -Hn").out().trim().replace("unlimited", "99999999")) >= 20_000, "less here");
    Ended million = doctor("ulimit -n 20000;", "", "--connections 1000000 --json");
    assertThat(million.status()).isEqualTo(1);
    assertThat(million.row("nofile hard, server").path("connections").asLong()).isEqualTo(19_900);
    assertThat(million.row("nofile hard, server").path("verdict").asString()).isEqualTo("short");
    Ended some = doctor("ulimit -n 20000;", "", "--connections 15000 --json");
    assertThat(some.row("nofile hard, server").path("verdict").asString()).isEqualTo("ok");
    assertThat(some.status()).as(some.out()).isEqualTo(some.out().contains("\"short\"") ? 1 : 0);
  }

  @Test
  void underAHardLimitOf1024() throws Exception {
    Ended found = doctor("ulimit -n 1024;", "", "--connections 15000");
    assertThat(found.status()).isEqualTo(1);
    boolean may = doctor("ulimit -n 1024;", "", "--connections 15000 --json").row("nofile hard, server").path("liftable").asBoolean();
    assertThat(found.out())
        .contains(
            may
                ? "924 connections by nofile hard, server (1,024) until it is lifted, which this process may do"
                : "924 connections per process here: hard nofile 1,024 cannot be raised without CAP_SYS_RESOURCE");
    assertThat(doctor("ulimit -n 1024;", "", "--connections 924").out()).contains("in reach");
  }

  @Test
  void inANamespaceOfFewPorts() throws Exception {
    String name = "echo-ladder-d-" + ProcessHandle.current().pid();
    assumeTrue(run("ip netns add " + name).status() == 0, "no network namespace can be made here");
    try {
      String inside = "ip netns exec " + name;
      assertThat(run(inside + " sysctl -q -w net.ipv4.ip_local_port_range='20000 20099'").status()).isZero();
      Ended client = doctor("", inside, "--connections 15000 --role client --json");
      assertThat(client.status()).isEqualTo(1);
      assertThat(client.row("port tuples").path("connections").asLong()).isEqualTo(50);
      assertThat(client.row("port tuples").path("needed").asLong()).isEqualTo(300);
      // Over loopback, 300 addresses of 127.0.0.0/8 do.
      Ended both = doctor("", inside, "--connections 15000 --json");
      assertThat(both.row("port tuples").path("verdict").asString()).isEqualTo("ok");
      Ended million = doctor("", inside, "--connections 1000000 --json");
      assertThat(million.row("port tuples").path("needed").asLong()).isEqualTo(20_000);
      assertThat(million.row("net.ipv4.tcp_mem").path("verdict").asString()).isEqualTo("unknown");
    } finally {
      assertThat(run("ip netns del " + name).status()).isZero();
    }
  }

  @Test
  void inAGroupOfFewTasks() throws Exception {
    Path group = Path.of(GROUPS, "echo-ladder-" + ProcessHandle.current().pid());
    assumeTrue(Files.isWritable(Path.of(GROUPS)) && run("mkdir " + group).status() == 0, "no pids cgroup can be made here");
    try {
      assertThat(run("echo 3000 > %s/pids.max".formatted(group)).status()).isZero();
      Ended found = doctor("echo $$ > " + group + "/cgroup.procs;", "", "--connections 10000 --server platform-threads-of-a-test --json");
      assertThat(found.status()).isEqualTo(2);
      Ended fine = doctor("echo $$ > " + group + "/cgroup.procs;", "", "--connections 10000 --json");
      assertThat(fine.row("cgroup pids").path("verdict").asString()).isEqualTo("ok");
      assertThat(fine.row("cgroup pids").path("present").asLong()).isBetween(2_900L, 2_999L);
      assertThat(run("echo 100 > %s/pids.max".formatted(group)).status()).isZero();
      Ended few = doctor("echo $$ > " + group + "/cgroup.procs;", "", "--connections 10000 --json");
      assertThat(few.status()).isEqualTo(1);
      assertThat(few.row("cgroup pids").path("verdict").asString()).isEqualTo("short");
      assertThat(few.row("cgroup pids").path("arithmetic").asString()).contains(group + "/pids.max 100 leaves");
    } finally {
      assertThat(run("rmdir " + group).status()).isZero();
    }
  }
}
