package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Ladder;
import echoladder.linux.ControlGroups;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verb as a process under real limits: for 15,000 and 1,000,000 connections each, here, and in what is made here. */
final class DoctorHereIT {
  private static final String MILLION = "--connections 1000000 --json";
  private static final String SOME = "--connections 15000 --json";

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
        "%s '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Decholadder.nofile.soft=\"$(ulimit -Sn)\" "
                .formatted(prefix, System.getProperty("java.home"))
            + "-Decholadder.nofile.hard=\"$(ulimit -Hn)\" -Decholadder.home='%s' -cp '%s' %s doctor %s"
                .formatted(
                    Path.of("..").toAbsolutePath().normalize(),
                    System.getProperty("java.class.path"),
                    Ladder.class.getName(),
                    options);
    return run(before + java);
  }

  private static Ended run(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out);
  }

  /** A control group, of version 1 or 2, whichever is mounted here, and not yet made. */
  private static ControlGroups.Group group(String controller) {
    ControlGroups.Group top = Objects.requireNonNull(ControlGroups.own().top(controller));
    return new ControlGroups.Group(top.dir().resolve("echo-ladder-" + ProcessHandle.current().pid()), top.version());
  }

  private static void agree(Ended found) {
    String reach = JsonMapper.shared().readTree(found.out()).path("reach").asString();
    assertThat(found.status()).as(found.out()).isEqualTo(reach.equals("in-reach") ? 0 : 1);
    assertThat(found.out().contains("\"short\"")).as(found.out()).isEqualTo(!reach.equals("in-reach"));
  }

  @Test
  void onThisMachine() throws Exception {
    String said = run("ulimit -Hn").out().trim();
    long hard = said.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(said);
    for (int connections : new int[] {15_000, 1_000_000}) {
      Ended found = doctor("", "", "--connections " + connections + " --json");
      agree(found);
      JsonNode row = found.row("nofile hard, server");
      assertThat(row.path("present").asLong()).isEqualTo(hard);
      assertThat(row.path("needed").asLong()).isEqualTo(connections + 100);
      assertThat(row.path("verdict").asString()).isEqualTo(hard >= connections + 100 ? "ok" : "short");
      assertThat(found.row("port tuples").path("verdict").asString()).isEqualTo("ok");
      assertThat(found.row("fs.file-max").path("needed").asLong()).isEqualTo(2L * connections + 10_240);
    }
  }

  @Needs(Need.HARD_NOFILE_20000)
  @Test
  void underAHardLimitOf20000() throws Exception {
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
    Ended million = doctor("ulimit -n 1024;", "", MILLION);
    assertThat(million.status()).isEqualTo(1);
    assertThat(million.row("nofile hard, server").path("connections").asLong()).isEqualTo(924);
    assertThat(million.row("nofile hard, client").path("verdict").asString()).isEqualTo("short");
    assertThat(doctor("ulimit -n 1024;", "", "--connections 924").out()).contains("in reach");
    // What the shell has, and not what java made of it.
    Ended soft = doctor("ulimit -Sn 512; ulimit -Hn 1024;", "", SOME);
    assertThat(soft.row("nofile soft").path("present").asLong()).isEqualTo(512);
    assertThat(soft.row("nofile soft").path("verdict").asString()).as("of a server that nobody named").isEqualTo("risk");
  }

  @Needs({Need.IP, Need.SYSCTL, Need.NAMESPACES})
  @Test
  void inANamespaceOfFewPorts() throws Exception {
    String name = "echo-ladder-d-" + ProcessHandle.current().pid();
    assertThat(run("ip netns add " + name).status()).isZero();
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

  @Needs(Need.CGROUP_PIDS)
  @Test
  @Tag("long")
  void inAGroupOfFewTasks() throws Exception {
    Path group = group("pids").dir();
    assertThat(run("mkdir " + group).status()).isZero();
    String enter = "echo $$ > " + group + "/cgroup.procs;";
    try {
      assertThat(run("echo 3000 > %s/pids.max".formatted(group)).status()).isZero();
      for (String n : new String[] {SOME, MILLION}) {
        JsonNode threads = doctor(enter, "", n + " --server platform-threads").row("cgroup pids");
        assertThat(threads.path("verdict").asString()).isEqualTo("short");
        // 3,000 less this shell and java, less 512 for the rest.
        assertThat(threads.path("connections").asLong()).isBetween(2_300L, 2_487L);
        assertThat(threads.path("liftable").asBoolean()).isTrue();
        assertThat(threads.path("lift").asString()).matches("echo \\d+ > " + group + "/pids.max");
        Ended virtual = doctor(enter, "", n);
        agree(virtual);
        assertThat(virtual.row("cgroup pids").path("verdict").asString()).isEqualTo("ok");
        assertThat(virtual.row("cgroup pids").path("present").asLong()).isBetween(2_900L, 2_999L);
      }
      // What it says lifts it does.
      String lift = doctor(enter, "", SOME + " --server platform-threads").row("cgroup pids").path("lift").asString();
      assertThat(run(lift).status()).isZero();
      assertThat(doctor(enter, "", SOME + " --server platform-threads").row("cgroup pids").path("verdict").asString())
          .isEqualTo("ok");
      assertThat(run("echo 100 > %s/pids.max".formatted(group)).status()).isZero();
      Ended few = doctor(enter, "", SOME);
      assertThat(few.status()).isEqualTo(1);
      assertThat(few.row("cgroup pids").path("verdict").asString()).isEqualTo("short");
      assertThat(few.row("cgroup pids").path("arithmetic").asString()).contains(group + "/pids.max 100 leaves");
    } finally {
      assertThat(run("rmdir " + group).status()).isZero();
    }
  }

  @Needs(Need.CGROUP_MEMORY)
  @Test
  void inAGroupOfLittleMemory() throws Exception {
    ControlGroups.Group made = group("memory");
    Path group = made.dir();
    Path most = made.file("memory.limit_in_bytes", "memory.max");
    assertThat(run("mkdir " + group).status()).isZero();
    try {
      assertThat(run("echo 600M > " + most).status()).isZero();
      Ended found = doctor("echo $$ > " + group + "/cgroup.procs;", "", SOME + " --server virtual-threads");
      agree(found);
      JsonNode row = found.row("cgroup memory");
      assertThat(row.path("verdict").asString()).isEqualTo("short");
      assertThat(row.path("present").asLong()).isLessThan(600L << 20);
      assertThat(row.path("lift").asString()).endsWith("> " + most);
    } finally {
      assertThat(run("rmdir " + group).status()).isZero();
    }
  }

  @Needs({Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
  @Test
  void whereSettingsAreReadOnly() throws Exception {
    String readOnly = "unshare --mount sh -c 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec \"$@\"' -";
    String n = "--connections 100000000 --json";
    assertThat(doctor("", "", n).row("fs.epoll.max_user_watches").path("liftable").asBoolean())
        .isEqualTo(Files.isWritable(Path.of("/proc/sys/fs/epoll/max_user_watches")));
    JsonNode row = doctor("", readOnly, n).row("fs.epoll.max_user_watches");
    assertThat(row.path("verdict").asString()).isEqualTo("short");
    assertThat(row.path("liftable").asBoolean()).isFalse();
    assertThat(row.path("because").asString()).contains("read-only");
  }
}
