package echoladder.harness.incident;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.doctor.CgroupLimit;
import echoladder.harness.doctor.Facts;
import echoladder.harness.incident.Bound.State;
import echoladder.harness.incident.ProcessExamination.Reach;
import echoladder.harness.limits.KnownLimit;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The arithmetic of what stops a process first, and what is said of it. */
class ProcessExaminationTest {
  private static Arguments first(String what, UnaryOperator<Looks> of, String limit, long at, State state, String lift) {
    return Arguments.of(what, of, limit, at, state, lift);
  }

  static Stream<Arguments> firsts() {
    return Stream.of(
        first(
            "descriptors, the hard limit as low as the soft one", l -> l.connections(100),
            "nofile soft", 1_018, State.STOPS_LATER, "prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "no connection yet", l -> l, "nofile soft", 1_018, State.STOPS_LATER, "prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "descriptors used up", l -> l.connections(1_018),
            "nofile soft", 1_018, State.STOPS_NOW, "prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "a user may not raise the hard limit", l -> l.connections(1_018).byUser(),
            "nofile soft", 1_018, State.STOPS_NOW, "sudo prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "nor may root of a container", l -> l.connections(1_018).byRootOfAContainer(),
            "nofile soft", 1_018, State.STOPS_NOW,
            "prlimit --pid 4711 --nofile=1048576:1048576  # as root of the host, by the pid that the process has there: CAP_SYS_RESOURCE is missing here"),
        first(
            "as many as fs.nr_open gives", l -> { l.facts().nofile(1_048_576); return l.connections(1_048_570); },
            "nofile soft", 1_048_570, State.STOPS_NOW, "sysctl -w fs.nr_open=2097152 && prlimit --pid 4711 --nofile=2097152:2097152"),
        // 1,024 - 6 files = 1,018 descriptors, three for each connection: 100 + (1,024 - 306) / 3.
        first(
            "a pipe, two descriptors, per connection", l -> l.connections(100).kind("pipe", 200),
            "nofile soft", 339, State.STOPS_LATER, "prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "two pipes are not one per connection", l -> l.connections(100).kind("pipe", 2),
            "nofile soft", 1_016, State.STOPS_LATER, "prlimit --pid 4711 --nofile=1048576:1048576"),
        first(
            "threads of a control group", l -> { l.facts().nofile(100_000).pids(500, 210); return l.connections(200).threads(204); },
            "cgroup pids", 490, State.STOPS_LATER, "echo max | tee /sys/fs/cgroup/pids.max"),
        first(
            "a control group that is full", l -> { l.facts().nofile(100_000).pids(210, 210); return l.connections(200).threads(20); },
            "cgroup pids", 200, State.STOPS_NOW, "echo max | tee /sys/fs/cgroup/pids.max"),
        first(
            "mappings of threads", l -> { l.facts().nofile(100_000).sysctl("vm.max_map_count", "10000"); return l.connections(2_000).threads(2_010); },
            // 10,000 - 4,120 mappings now, 2.2 for each.
            "vm.max_map_count", 4_672, State.STOPS_LATER, "sysctl -w vm.max_map_count=20000"),
        first(
            "threads of a user", l -> {
              l.facts().nofile(100_000).user();
              return l.connections(1_000).threads(1_005).userTasks(96_165).byUser();
            },
            "nproc", 1_200, State.STOPS_LATER, "sudo prlimit --pid 4711 --nproc=192730:192730"),
        first(
            "ports to one destination", l -> { l.facts().nofile(100_000); return l.connections(1_000).destination(1_000, 1_000); },
            "port tuples", 28_232, State.STOPS_LATER, "sysctl -w net.ipv4.ip_local_port_range='1024 65535'"),
        first(
            "ports that others take too", l -> { l.facts().nofile(100_000); return l.connections(1_000).destination(1_000, 28_132); },
            "port tuples", 1_100, State.STOPS_LATER, "sysctl -w net.ipv4.ip_local_port_range='1024 65535'"),
        first(
            "half of the connections go there", l -> { l.facts().nofile(100_000); return l.connections(2_000).destination(1_000, 1_000); },
            "port tuples", 56_464, State.STOPS_LATER, "sysctl -w net.ipv4.ip_local_port_range='1024 65535'"),
        first(
            "ports in a namespace, all taken", l -> {
              l.facts().nofile(100_000).sysctl("net.ipv4.ip_local_port_range", "20000 20099");
              return l.connections(60).destination(60, 100).inNetworkOfItsOwn();
            },
            "port tuples", 60, State.STOPS_NOW, "nsenter -t 4711 -n sysctl -w net.ipv4.ip_local_port_range='1024 65535'"),
        first(
            "all ports", l -> {
              l.facts().nofile(100_000).sysctl("net.ipv4.ip_local_port_range", "1024 65535");
              return l.connections(64_512).destination(64_512, 64_512);
            },
            "port tuples", 64_512, State.STOPS_NOW,
            "# the range is as wide as it can be: more source addresses, or more destination addresses or ports"),
        first(
            "connection tracking", l -> {
              l.facts().nofile(100_000).sysctl("net.netfilter.nf_conntrack_max", "65536").sysctl("net.netfilter.nf_conntrack_count", "65000");
              return l.connections(40_000);
            },
            "net.netfilter.nf_conntrack_max", 40_536, State.STOPS_LATER, "sysctl -w net.netfilter.nf_conntrack_max=131072"),
        first(
            "an accept queue of the program's own length", l -> { l.facts().nofile(100_000); return l.connections(300).listener(129, 128, 7); },
            "accept queue", 300, State.STOPS_NOW,
            "# have the program accept faster, and listen with a greater backlog; net.core.somaxconn (4,096) is not in the way"),
        first(
            "an accept queue as long as somaxconn", l -> { l.facts().nofile(100_000); return l.connections(300).listener(4_097, 4_096, 7); },
            "accept queue", 300, State.STOPS_NOW, "sysctl -w net.core.somaxconn=65535  # then a new start, with a backlog as great"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("firsts")
  void whatStopsItFirst(String what, UnaryOperator<Looks> of, String limit, long at, State state, String lift) {
    ProcessExamination found = ProcessExamination.of(of.apply(new Looks()).look(), null);
    Bound first = Objects.requireNonNull(found.first(), what);
    assertThat(first.limit()).isEqualTo(limit);
    assertThat(first.stopsAt()).isEqualTo(at);
    assertThat(first.state()).isEqualTo(state);
    assertThat(first.lift()).isEqualTo(lift);
    assertThat(found.reach()).isEqualTo(state == State.STOPS_NOW ? Reach.OUT_OF_REACH : Reach.IN_REACH);
    assertThat(found.answer().getFirst())
        .startsWith("process 4711 (server) has ")
        .contains(state == State.STOPS_NOW ? "STOPPED NOW" : "stops at " + Amounts.count(at), limit)
        .endsWith("to lift it: " + lift);
  }

  private static @Nullable Bound row(ProcessExamination found, KnownLimit limit) {
    return found.rows().stream().filter(row -> row.limit().equals(limit.id())).findFirst().orElse(null);
  }

  /** RSS over connections has the process's own memory in it: its number is one before which it does not stop. */
  @Test
  void memoryNeverComesFirstByAnEstimate() {
    Looks looks = new Looks().connections(1_000).rss(1_000L << 20);
    looks.facts().nofile(20_000).memory(2_000L << 20, 1_000L << 20);
    ProcessExamination found = ProcessExamination.of(looks.look(), null);
    assertThat(Objects.requireNonNull(found.first()).limit()).isEqualTo("nofile soft");
    Bound memory = Objects.requireNonNull(row(found, KnownLimit.CGROUP_MEMORY));
    assertThat(memory.state()).isEqualTo(State.NOT_BEFORE);
    assertThat(memory.stopsAt()).isEqualTo(1_000 + (1_000L << 20) / ((1_000L << 20) / 1_000 + 4_096)).isBetween(1_990L, 2_000L);
    assertThat(found.answer()).anyMatch(line -> line.startsWith("cgroup memory may stop it before, at 1,996 connections or later: "));
    assertThat(found.reach()).isEqualTo(Reach.IN_REACH);
    // A few connections tell nothing of what each takes.
    Looks few = new Looks().connections(999).rss(1_000L << 20);
    few.facts().memory(2_000L << 20, 1_000L << 20);
    assertThat(Objects.requireNonNull(row(ProcessExamination.of(few.look(), null), KnownLimit.CGROUP_MEMORY)).state()).isEqualTo(State.UNKNOWN);
    Looks full = new Looks();
    full.facts().memory(1_000L << 20, 1_000L << 20);
    assertThat(Objects.requireNonNull(ProcessExamination.of(full.look(), null).first()).limit()).isEqualTo("cgroup memory");
  }

  @Test
  void aNumberIsComparedWithAll() {
    Looks looks = new Looks().connections(100).destination(100, 100);
    looks.facts().capSysResource();
    ProcessExamination found = ProcessExamination.of(looks.look(), 50_000L);
    assertThat(found.reach()).isEqualTo(Reach.OUT_OF_REACH);
    assertThat(found.answer().get(1).lines())
        .containsExactly(
            "50,000 connections are out of reach:",
            "    1,018 by nofile soft: prlimit --pid 4711 --nofile=1048576:1048576",
            "    28,232 by port tuples: sysctl -w net.ipv4.ip_local_port_range='1024 65535'");
    ProcessExamination within = ProcessExamination.of(new Looks().connections(100).look(), 1_018L);
    assertThat(within.reach()).isEqualTo(Reach.IN_REACH);
    assertThat(within.answer().get(1)).isEqualTo("1,018 connections are within every limit whose use is known");
    // A soft limit of 20,000 is enough for 15,000, but not to be doubled only to 40,000.
    Looks more = new Looks().connections(100);
    more.facts().nofile(600_000);
    assertThat(ProcessExamination.of(more.look(), 2_000_000L).answer().get(1)).contains("fs.nr_open=2000006 && prlimit --pid 4711 --nofile=2000006:2000006");
  }

  /** Where two stop it now, the one that is the other's cause is named. */
  @Test
  void aQueueIsFullForWantOfDescriptors() {
    ProcessExamination found = ProcessExamination.of(new Looks().connections(1_017).listener(129, 128, 4_012).look(), null);
    assertThat(Objects.requireNonNull(found.first()).limit()).isEqualTo("nofile soft");
    assertThat(found.answer().get(1))
        .isEqualTo(
            "its accept queue at 0.0.0.0:80 is full (129 of 128), so new connections are dropped: it does not accept as fast as they come,"
                + " for want of descriptors");
    assertThat(ProcessExamination.of(new Looks().listener(0, 128, 4_012).look(), null).answer())
        .contains("its accept queue at 0.0.0.0:80 has dropped 4,012 connections since it listens");
    assertThat(ProcessExamination.of(new Looks().counter("cgroup_task_refusals", 3).counter("cgroup_oom_kills", 1).look(), null).answer())
        .contains(
            "its control group has refused to start a thread or process 3 times",
            "the kernel has killed processes of its control group for want of memory 1 times");
  }

  /** What another network namespace has as well must not be taken for this one's. */
  @Test
  void settingsOfAForeignNetworkAreLeftOut() {
    Facts host = new Facts();
    host.sysctl("net.netfilter.nf_conntrack_count", "5");
    assertThat(LookReader.withoutNetwork(host.facts()).sysctl())
        .doesNotContainKeys("net.ipv4.ip_local_port_range", "net.core.somaxconn", "net.netfilter.nf_conntrack_count")
        .containsKeys("fs.file-max", "net.ipv4.tcp_mem");
  }

  @Test
  void groupsOfSystemdAreLiftedByIt() {
    Remedy remedy = new Remedy(new Looks().byUser().look());
    assertThat(remedy.groupTasks(new CgroupLimit("/sys/fs/cgroup/system.slice/nginx.service/pids.max", 512, 512, true)))
        .isEqualTo("sudo systemctl set-property --runtime nginx.service TasksMax=infinity");
    assertThat(remedy.groupMemory(new CgroupLimit("/sys/fs/cgroup/system.slice/nginx.service/memory.max", 512, 512, true)))
        .isEqualTo("sudo systemctl set-property --runtime nginx.service MemoryMax=1024");
    assertThat(remedy.groupMemory(new CgroupLimit("/sys/fs/cgroup/docker/0f/memory.max", 512, 512, true)))
        .isEqualTo("echo 1024 | sudo tee /sys/fs/cgroup/docker/0f/memory.max");
  }

  @Test
  void theTextBeginsWithTheAnswerAndHasEveryLimit() {
    ProcessExamination found = ProcessExamination.of(new Looks().connections(1_018).destination(1_018, 1_020).look(), null);
    assertThat(ProcessText.lines(found, true))
        .startsWith(found.answer().getFirst())
        .anyMatch(line -> line.matches("nofile soft +1,024 +1,024 +1 +1,018  STOPS IT NOW"))
        .contains("    runbooks/symptoms/descriptor-limit.md; to lift it: prlimit --pid 4711 --nofile=1048576:1048576")
        .contains("10.0.0.7:443        1,018        1,020  10.0.0.2")
        .contains("per connection: descriptors: 1 (1 socket); threads: 0; memory: at most 24 KiB");
    assertThat(Arrays.stream(State.values()).map(state -> state.words)).doesNotHaveDuplicates();
  }
}
