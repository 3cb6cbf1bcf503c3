package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.doctor.Examination.Reach;
import echoladder.harness.doctor.Row.Answer;
import echoladder.harness.limits.KnownLimit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class DoctorTest {
  private static final ServerModel KNOWN = new ServerModel("netty", 5_000L, "a test", 0, true);
  private static final ServerModel THREADS = new ServerModel("platform-threads", 40_000L, "a test", 1, true);

  private static Examination ask(long connections, Role role, ServerModel server, Facts facts) {
    return Doctor.examine(new Question(connections, role, server, 0, null), facts.facts());
  }

  private static Row row(Examination found, String limit) {
    return found.rows().stream().filter(r -> r.limit().equals(limit)).findFirst().orElseThrow();
  }

  static List<Arguments> hosts() {
    return List.of(
        // connections, role, server, host, reach, connections now, the limit in the way (null = none)
        a(15_000, Role.BOTH, KNOWN, new Facts(), Reach.IN_REACH, 19_900, null),
        a(19_900, Role.BOTH, KNOWN, new Facts(), Reach.IN_REACH, 19_900, null),
        a(19_901, Role.BOTH, KNOWN, new Facts(), Reach.OUT_OF_REACH, 19_900, "nofile hard, server"),
        a(1_000_000, Role.BOTH, KNOWN, new Facts(), Reach.OUT_OF_REACH, 19_900, "nofile hard, server"),
        a(1_000_000, Role.BOTH, KNOWN, new Facts().capSysResource(), Reach.AFTER_LIFTING, 19_900, "nofile hard, server"),
        a(1_000_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576), Reach.IN_REACH, 1_048_476, null),
        a(1_000_000, Role.BOTH, KNOWN, new Facts().nofile(Long.MAX_VALUE), Reach.IN_REACH, 1_048_476, null),
        // A user is bound by fs.file-max, as root is not: (1,000,000 - 10,240) / 2.
        a(1_000_000, Role.BOTH, KNOWN, new Facts().user().nofile(1_048_576).sysctl("fs.file-max", "1000000"),
            Reach.OUT_OF_REACH, 494_880, "fs.file-max"),
        a(15_000, Role.BOTH, KNOWN, new Facts().nofile(1_024), Reach.OUT_OF_REACH, 924, "nofile hard, server"),
        // Clients are cut into at most 256 processes: (1,024 - 256) x 256, but 14,116 per address.
        a(14_116, Role.CLIENT, KNOWN, new Facts().nofile(1_024), Reach.IN_REACH, 14_116, null),
        a(14_117, Role.CLIENT, KNOWN, new Facts(), Reach.AFTER_LIFTING, 14_116, "port tuples"),
        a(27_649, Role.CLIENT, KNOWN, new Facts(), Reach.OUT_OF_REACH, 14_116, "port tuples"),
        a(15_000, Role.CLIENT, KNOWN, new Facts().sysctl("net.ipv4.ip_local_port_range", "20000 20099"),
            Reach.AFTER_LIFTING, 50, "port tuples"),
        a(15_000, Role.BOTH, KNOWN, new Facts().sysctl("net.ipv4.ip_local_port_range", "20000 20099"),
            Reach.IN_REACH, 19_900, null),
        a(15_000, Role.CLIENT, KNOWN, new Facts().sysctl("net.ipv4.ip_local_reserved_ports", "32768-60999").readOnly(),
            Reach.OUT_OF_REACH, 0, "port tuples"),
        // Threads: pids.max 10,512 with 500 in use leaves 10,012, less 512 for the rest.
        a(10_000, Role.BOTH, THREADS, new Facts().pids(10_512, 500), Reach.OUT_OF_REACH, 9_500, "cgroup pids"),
        a(9_500, Role.BOTH, THREADS, new Facts().pids(10_512, 500), Reach.IN_REACH, 9_500, null),
        a(10_000, Role.BOTH, KNOWN, new Facts().pids(400, 12), Reach.IN_REACH, 19_900, null),
        a(10_000, Role.BOTH, KNOWN, new Facts().pids(100, 12), Reach.OUT_OF_REACH, 0, "cgroup pids"),
        // pid_max 32,768 - 150 now - 512; the maps: (65,530 - 1,024) / 2.2.
        a(40_000, Role.SERVER, THREADS, new Facts().nofile(1_048_576).readOnly(),
            Reach.OUT_OF_REACH, 29_320, "vm.max_map_count"),
        a(30_000, Role.SERVER, THREADS, new Facts().nofile(1_048_576), Reach.AFTER_LIFTING, 29_320, "vm.max_map_count"),
        // (1 GiB - 512 MiB) / (2 x 4,096 + 256 + 5,000) = 39,921.
        a(50_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576).available(1L << 30),
            Reach.OUT_OF_REACH, 39_921, "memory"),
        a(50_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576).memory(2L << 30, 1L << 30),
            Reach.OUT_OF_REACH, 39_921, "cgroup memory"),
        // (3 GiB - 512 MiB) / (256 + 40,000 + 262,144); kernel memory is not reserved.
        a(10_000, Role.BOTH, THREADS, new Facts().commitLeft(3L << 30).readOnly(),
            Reach.OUT_OF_REACH, 8_876, "vm.overcommit_memory"),
        a(300_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576).readOnly()
                .sysctl("net.netfilter.nf_conntrack_max", "262144").sysctl("net.netfilter.nf_conntrack_count", "44"),
            Reach.OUT_OF_REACH, 238_272, "net.netfilter.nf_conntrack_max"),
        a(300_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576).readOnly()
                .sysctl("net.netfilter.nf_conntrack_max", "262144").sysctl("net.netfilter.nf_conntrack_count", "0"),
            Reach.IN_REACH, 1_048_476, null),
        a(1_000_000, Role.BOTH, KNOWN, new Facts().nofile(1_048_576).sysctl("fs.epoll.max_user_watches", "1000000"),
            Reach.AFTER_LIFTING, 500_000, "fs.epoll.max_user_watches"));
  }

  private static Arguments a(
      long n, Role role, ServerModel server, Facts host, Reach reach, long now, @Nullable String inTheWay) {
    return Arguments.of(n, role, server, host, reach, now, inTheWay);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void answers(
      long connections, Role role, ServerModel server, Facts host, Reach reach, long now, @Nullable String inTheWay) {
    Examination found = ask(connections, role, server, host);
    assertThat(found.reach()).isEqualTo(reach);
    assertThat(found.connectionsNow()).isEqualTo(now);
    if (inTheWay == null) {
      assertThat(found.rows()).noneMatch(r -> r.answer() == Answer.SHORT);
    } else {
      assertThat(row(found, inTheWay))
          .satisfies(r -> assertThat(r.answer()).isEqualTo(Answer.SHORT))
          .satisfies(r -> assertThat(r.connections()).isEqualTo(now))
          .satisfies(r -> assertThat(r.lift()).isNotNull());
    }
  }

  @Test
  void saysItInWords() {
    assertThat(ask(1_000_000, Role.BOTH, KNOWN, new Facts()).answer())
        .first()
        .isEqualTo(
            "19,900 connections per process here: hard nofile 20,000 cannot be raised without CAP_SYS_RESOURCE; "
                + "1,000,000 in the lab");
    // (4 GiB - 512 MiB) / 9,000 B
    assertThat(ask(1_000_000, Role.BOTH, ServerModel.unnamed(), new Facts().available(4L << 30)).answer())
        .first()
        .asString()
        .contains("19,900 connections per process here", "; 417,566 in the lab");
    assertThat(ask(15_000, Role.BOTH, KNOWN, new Facts()).answer())
        .first()
        .isEqualTo("the first limit is at 19,900 connections per process: nofile hard, server 20,000");
  }

  /** An operator knows 28,232 ports from the kernel's range: whoever says 14,116 says whose half that is. */
  @Test
  void theHalfOfThePortsStandsBesideAllOfThem() {
    Examination found = ask(30_000, Role.CLIENT, KNOWN, new Facts());
    assertThat(found.answer()).anyMatch(line -> line.contains("1 address x 14,116 ports, half of the 28,232 of the range"));
    Row tuples = found.rows().stream().filter(row -> row.limit().equals("port tuples")).findFirst().orElseThrow();
    assertThat(tuples.arithmetic()).contains("N / 14,116 ports per tuple, half of its 28,232, rounded up = 3");
  }

  /** "Not here" could be read as a limit of another host. */
  @Test
  void aLimitThatDoesNotConcernTheRoleDoesNotApply() {
    Examination found = ask(1_000, Role.CLIENT, KNOWN, new Facts());
    assertThat(String.join("\n", ExaminationText.lines(found, false, null))).containsPattern("net\\.core\\.somaxconn .* does not apply").doesNotContain("not here");
  }

  /** Only a JVM and Go raise it by themselves. */
  @Test
  void theSoftLimitBindsAServerThatDoesNotRaiseIt() {
    Facts login = new Facts().nofile(524_288).soft(1_024);
    ServerModel program = new ServerModel("mine", 5_000L, "a test", 0, false);
    Examination named = ask(15_000, Role.BOTH, program, login);
    assertThat(named.reach()).isEqualTo(Reach.AFTER_LIFTING);
    assertThat(named.answer()).first().isEqualTo(
        "924 connections by nofile soft (1,024) until it is lifted, which this process may do: ulimit -Sn 15100");
    assertThat(row(named, "nofile soft").answer()).isEqualTo(Answer.SHORT);
    Examination unnamed = ask(15_000, Role.SERVER, ServerModel.unnamed(), login);
    assertThat(unnamed.reach()).isEqualTo(Reach.IN_REACH);
    assertThat(row(unnamed, "nofile soft").answer()).isEqualTo(Answer.RISK);
    assertThat(unnamed.answer()).contains(
        "924 connections by nofile soft (1,024) if the server does not raise it, as JVM and Go do: ulimit -Sn 15100 before it starts, or"
            + " give --server NAME");
    assertThat(row(ask(15_000, Role.BOTH, KNOWN, login), "nofile soft").answer()).isEqualTo(Answer.OK);
    assertThat(row(ask(15_000, Role.CLIENT, ServerModel.unnamed(), login), "nofile soft").answer()).isEqualTo(Answer.OK);
    assertThat(row(ask(15_000, Role.BOTH, program.startedHere(), login), "nofile soft").answer()).isEqualTo(Answer.OK);
    assertThat(row(ask(900, Role.BOTH, program, login), "nofile soft").answer()).isEqualTo(Answer.OK);
    Row both = row(ask(15_000, Role.BOTH, program, new Facts().nofile(4_096).soft(1_024).capSysResource()), "nofile soft");
    assertThat(both.lift()).as("the hard one too").isEqualTo("ulimit -n 15100");
  }

  @Test
  void saysWhatItDoesNotKnow() {
    Examination found = ask(1_000, Role.BOTH, ServerModel.unnamed(), new Facts().sysctl("net.ipv4.tcp_mem", null));
    assertThat(row(found, "memory").answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(row(found, "memory").arithmetic()).contains("give --server NAME");
    assertThat(row(found, "net.ipv4.tcp_mem").answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(found.answer()).contains("not known, see --explain: memory, net.ipv4.tcp_mem");
    assertThat(found.reach()).isEqualTo(Reach.IN_REACH);
  }

  @Test
  void namesTheCommandAndWhoMayRunIt() {
    Facts facts = new Facts().nofile(1_048_576).sysctl("fs.epoll.max_user_watches", "1000");
    Row mine = row(ask(10_000, Role.BOTH, KNOWN, facts), "fs.epoll.max_user_watches");
    assertThat(mine.lift()).isEqualTo("sysctl -w fs.epoll.max_user_watches=20000");
    assertThat(mine.liftable()).isTrue();
    Row notMine = row(ask(10_000, Role.BOTH, KNOWN, facts.readOnly()), "fs.epoll.max_user_watches");
    assertThat(notMine.liftable()).isFalse();
    assertThat(row(ask(30_000, Role.BOTH, KNOWN, new Facts().capSysResource()), "nofile hard, server").lift())
        .isEqualTo("ulimit -n 30100");
  }

  /** Else the second command that somebody copies undoes the first. */
  @ParameterizedTest
  @ValueSource(longs = {2_000_000, 600_000_000})
  void noTwoCommandsWriteOneFileOrSetOneLimit(long connections) {
    for (Facts host : List.of(new Facts().user().nofile(4_096), new Facts().capSysResource().nofile(4_096))) {
      Map<String, Set<String>> commands = new TreeMap<>();
      for (Row row : ask(connections, Role.BOTH, THREADS, host).rows()) {
        Pattern.compile("tee \\S+|ulimit -\\w").matcher(String.valueOf(row.lift())).results()
            .forEach(sets -> commands.computeIfAbsent(sets.group(), _ -> new TreeSet<>()).add(String.valueOf(row.lift()).replaceAll(" +#.*", "")));
      }
      assertThat(commands).isNotEmpty().allSatisfy((sets, by) -> assertThat(by).as(sets).hasSize(1));
    }
  }

  @Test
  void theCommandForThreadsLowersNothing() {
    Row threads = row(ask(200_000, Role.BOTH, THREADS, new Facts().user()), KnownLimit.NPROC.id());
    assertThat(threads.lift()).as("with a number the hard limit would be that, even if it is higher").contains("- nproc unlimited");
  }

  @Test
  void aServersPortAmongTheClientsIsARisk() {
    Question inside = new Question(10, Role.BOTH, KNOWN, 40_000, null);
    Row risky = row(Doctor.examine(inside, new Facts().facts()), "net.ipv4.ip_local_reserved_ports");
    assertThat(risky.answer()).isEqualTo(Answer.RISK);
    assertThat(risky.lift()).isEqualTo("sysctl -w net.ipv4.ip_local_reserved_ports=40000");
    HostFacts kept = new Facts().sysctl("net.ipv4.ip_local_reserved_ports", "39000-41000").facts();
    assertThat(row(Doctor.examine(inside, kept), "net.ipv4.ip_local_reserved_ports").answer()).isEqualTo(Answer.OK);
    String list = IntStream.range(0, 1_800).mapToObj(i -> Integer.toString(20_000 + 2 * i)).collect(Collectors.joining(","));
    HostFacts many = new Facts().sysctl("net.ipv4.ip_local_reserved_ports", list).facts();
    assertThat(row(Doctor.examine(inside, many), "net.ipv4.ip_local_reserved_ports").lift())
        .isEqualTo("sysctl -w net.ipv4.ip_local_reserved_ports=$(cat /proc/sys/net/ipv4/ip_local_reserved_ports),40000");
    Question outside = new Question(10, Role.BOTH, KNOWN, 9_000, null);
    assertThat(row(Doctor.examine(outside, new Facts().facts()), "net.ipv4.ip_local_reserved_ports").answer())
        .isEqualTo(Answer.OK);
  }

  @Test
  void everyRowHasItsPage() {
    for (Row row : ask(1_000_000, Role.BOTH, THREADS, new Facts().pids(9, 1).memory(9, 1).commitLeft(9)).rows()) {
      assertThat(Path.of("../runbooks/symptoms/" + row.page() + ".md")).as(row.limit()).exists();
    }
  }

  @Test
  void isJsonWithUnitsInItsNames() {
    JsonNode json = JsonMapper.shared().valueToTree(ask(1_000_000, Role.BOTH, KNOWN, new Facts()));
    assertThat(json.at("/reach").asString()).isEqualTo("out-of-reach");
    assertThat(json.at("/connections_now").asLong()).isEqualTo(19_900);
    assertThat(json.at("/rows/0/verdict").asString()).isEqualTo("short");
    assertThat(json.at("/rows/0/liftable").asBoolean()).isFalse();
    assertThat(json.at("/question/server/bytes_per_connection").asLong()).isEqualTo(5_000);
    assertThat(json.at("/host/cap_sys_resource").isBoolean()).isTrue();
  }
}
