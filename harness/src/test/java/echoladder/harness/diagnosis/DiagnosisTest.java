package echoladder.harness.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.Row;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.probe.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One errno has several causes: which one it was has to follow from what else was seen. */
class DiagnosisTest {
  private static final String NO_THREAD =
      "platform-threads: accept failed with 2391 connections open: unable to create native thread: possibly out of memory or"
          + " process/resource limits reached; the limit is one of kernel.threads-max, kernel.pid_max, vm.max_map_count";

  private static Seen on(String key, String value) {
    return new Seen(new Facts().sysctl(key, value).facts());
  }

  @Test
  void withoutASignNoLimitIsNamed() {
    assertThat(new Seen(new Facts().facts()).client("connect ETIMEDOUT", 5).met()).isEmpty();
    assertThat(new Seen(new Facts().facts()).count(Figure.LISTEN_OVERFLOWS, 7, 7).met()).isEmpty();
  }

  @Test
  void outOfDescriptorsIsTheLowerOfTheProcessLimitAndNrOpen() {
    Facts facts = new Facts().nofile(2_000);
    assertThat(new Seen(facts.facts()).accepts("emfile", 9).limits()).containsExactly(KnownLimit.NOFILE_SERVER);
    assertThat(on("fs.nr_open", "2048").accepts("emfile", 9).limits()).containsExactly(KnownLimit.NR_OPEN);
    assertThat(new Seen(facts.facts()).log("go-echo: accept4: too many open files; RLIMIT_NOFILE is 60").limits())
        .containsExactly(KnownLimit.NOFILE_SERVER);
    assertThat(new Seen(facts.facts()).client("socket EMFILE", 3).limits()).containsExactly(KnownLimit.NOFILE_CLIENT);
    assertThat(on("fs.nr_open", "2048").client("socket EMFILE", 3).limits()).containsExactly(KnownLimit.NR_OPEN);
  }

  @Test
  void droppedPacketsAreToldWithTheirShare() {
    Seen seen = new Seen(new Facts().facts()).count(Figure.SOFTNET_DROPS, 100, 412).count(Figure.SOFTNET_PACKETS, 1_000, 1_560_688);
    MetLimit met = seen.met().getFirst();
    assertThat(met.limit()).isEqualTo(KnownLimit.NETDEV_BACKLOG);
    assertThat(met.because())
        .containsExactly("312 of 1,560,000 packets were dropped before a processor took them in (softnet_stat), 0.02 %");
    assertThat(met.inPassing())
        .isEqualTo("net.core.netdev_max_backlog was touched there and ended nothing: " + met.because().getFirst());
  }

  @Test
  void outOfFilesIsTheHosts() {
    assertThat(
            on("fs.file-max", "5000")
                .accepts("enfile", 4)
                .log("x: /dev/null (Too many open files in system)")
                .count(Figure.HOST_OPEN_FILES, 700, 5_000)
                .limits())
        .containsExactly(KnownLimit.FILE_MAX);
  }

  @Test
  void aThreadThatCouldNotStartIsPutDownToWhatWasUsedUp() {
    Map<String, KnownLimit> expected =
        Map.of(
            "kernel.threads-max=2500", KnownLimit.THREADS_MAX,
            "kernel.pid_max=2800", KnownLimit.PID_MAX,
            "vm.max_map_count=5000", KnownLimit.MAX_MAP_COUNT);
    expected.forEach(
        (setting, limit) -> {
          String[] parts = setting.split("=", 2);
          assertThat(
                  on(parts[0], parts[1])
                      .accepts("eagain", 80)
                      .log(NO_THREAD)
                      .count(Figure.HOST_TASKS, 100, 2_495)
                      .count(Figure.SERVER_MAPS, 400, 4_990)
                      .count(Figure.SERVER_THREADS, 20, 2_400)
                      .limits())
              .as(setting)
              .containsExactly(limit);
        });
    // A control group counts its refusals itself.
    assertThat(
            on("kernel.threads-max", "2500")
                .accepts("eagain", 80)
                .count(Figure.HOST_TASKS, 100, 2_495)
                .count(Figure.CGROUP_TASK_REFUSALS, 0, 80)
                .limits())
        .containsExactly(KnownLimit.CGROUP_PIDS);
    // Where nothing was used up nothing is named.
    assertThat(new Seen(new Facts().facts()).accepts("eagain", 80).count(Figure.HOST_TASKS, 100, 2_495).met()).isEmpty();
  }

  @Test
  void aServerThatPausesAcceptingIsNotPutDownToItsQueue() {
    assertThat(
            new Seen(new Facts().nofile(2_000).sysctl("net.core.somaxconn", "8").facts())
                .accepts("emfile", 9)
                .count(Figure.LISTEN_OVERFLOWS, 0, 300)
                .client("connect ETIMEDOUT", 100)
                .limits())
        .containsExactly(KnownLimit.NOFILE_SERVER, KnownLimit.SOMAXCONN);
  }

  @Test
  void theQueueIsTheLesserOfTheKernelsAndTheServers() {
    assertThat(on("net.core.somaxconn", "8").count(Figure.LISTEN_OVERFLOWS, 1, 3).limits()).containsExactly(KnownLimit.SOMAXCONN);
    assertThat(on("net.core.somaxconn", "65535").count(Figure.LISTEN_OVERFLOWS, 1, 3).limits()).containsExactly(KnownLimit.BACKLOG);
  }

  @Test
  void portsAndWatchesAreToldByTheClient() {
    assertThat(new Seen(new Facts().facts()).client("connect EADDRNOTAVAIL", 1_505).limits()).containsExactly(KnownLimit.PORTS);
    assertThat(new Seen(new Facts().facts()).client("epoll_ctl ENOSPC", 2).limits()).containsExactly(KnownLimit.EPOLL_WATCHES);
    assertThat(new Seen(new Facts().facts()).accepts("enospc", 2).limits()).containsExactly(KnownLimit.EPOLL_WATCHES);
  }

  @Test
  void aProcessKilledForMemoryNamesWhoseMemory() {
    assertThat(new Seen(new Facts().facts()).ended("was killed by signal 9").count(Figure.CGROUP_OOM_KILLS, 0, 1).limits())
        .containsExactly(KnownLimit.CGROUP_MEMORY);
    assertThat(
            new Seen(new Facts().facts())
                .ended("was killed by signal 9")
                .kernel("<3>[ 9.1] Out of memory: Killed process 77 (java)")
                .limits())
        .containsExactly(KnownLimit.MEMORY);
    // The log may be for root alone, the count is for all.
    assertThat(new Seen(new Facts().facts()).ended("was killed by signal 9").count(Figure.HOST_OOM_KILLS, 3, 4).limits())
        .containsExactly(KnownLimit.MEMORY);
    assertThat(new Seen(new Facts().facts()).ended("ended with exit status 1").count(Figure.HOST_OOM_KILLS, 3, 4).met()).isEmpty();
    // One that was only squeezed, where the group is mostly the server.
    Facts small = new Facts().memory(20 << 20, 4 << 20);
    assertThat(
            new Seen(small.facts())
                .count(Figure.CGROUP_MEMORY_REFUSALS, 0, 1_984)
                .count(Figure.SERVER_RSS_BYTES, 6 << 20, 16 << 20)
                .limits())
        .containsExactly(KnownLimit.CGROUP_MEMORY);
    assertThat(
            new Seen(new Facts().memory(4L << 30, 1 << 30).facts())
                .count(Figure.CGROUP_MEMORY_REFUSALS, 0, 1_984)
                .count(Figure.SERVER_RSS_BYTES, 6 << 20, 16 << 20)
                .met())
        .isEmpty();
    // Somebody else's death on the same host is no reason for anything here.
    assertThat(new Seen(new Facts().facts()).kernel("<3>[ 9.1] Out of memory: Killed process 77 (java)").met()).isEmpty();
    assertThat(new Seen(new Facts().facts()).ended("was killed by signal 9").met()).isEmpty();
  }

  @Test
  void queuesAndOrphansShareACounterAndAreToldApart() {
    assertThat(
            on("net.ipv4.tcp_mem", "300 400 500")
                .count(Figure.TCP_MEMORY_PRESSURES, 0, 3)
                .count(Figure.TCP_BUFFERS_BYTES, 0, 512 * 4_096)
                .limits())
        .containsExactly(KnownLimit.TCP_MEM);
    assertThat(
            on("net.ipv4.tcp_max_orphans", "16").count(Figure.TCP_MEMORY_ABORTS, 0, 40).count(Figure.TCP_ORPHANS, 0, 16).limits())
        .containsExactly(KnownLimit.ORPHANS);
  }

  @Test
  void itHasTheDoctorsNamesAndPages() {
    Map<String, String> doctors =
        Doctor.examine(new Question(1_000, Role.BOTH, ServerModel.unnamed(), 0, null), new Facts().facts()).rows().stream()
            .collect(Collectors.toMap(Row::limit, Row::page));
    Map<String, String> ours =
        Arrays.stream(KnownLimit.values()).collect(Collectors.toMap(KnownLimit::id, KnownLimit::page));
    assertThat(ours).containsKeys("fs.nr_open", "cgroup memory", "port tuples");
    ours.forEach(
        (id, page) -> {
          assertThat(Path.of("../runbooks/symptoms/" + page + ".md")).isRegularFile();
          if (!id.startsWith("the server's")) {
            assertThat(doctors).containsEntry(id, page);
          }
        });
    assertThat(Files.exists(Path.of("../runbooks/symptoms"))).isTrue();
  }

  @Test
  void aMappingThatWasRefusedNamesNoLimitWithoutGround() {
    assertThat(new Seen(new Facts().facts()).log("mmap: Cannot allocate memory").limits()).isEmpty();
    assertThat(
            new Seen(new Facts().sysctl("vm.max_map_count", "900").facts())
                .log("mmap: Cannot allocate memory")
                .count(Figure.SERVER_MAPS, 400, 890)
                .limits())
        .containsExactly(KnownLimit.MAX_MAP_COUNT);
  }

  /** What is left to reserve is what was left before the load, less what the load took. */
  @Test
  void whatIsLeftToReserveIsThatAtTheHeightOfTheLoad() {
    HostFacts strict = new Facts().sysctl("vm.overcommit_memory", "2").commitLeft(4L << 30).facts();
    Seen refused = new Seen(strict).log("mmap: Cannot allocate memory");
    assertThat(refused.count(Figure.HOST_COMMITTED_BYTES, 1L << 30, 2L << 30).limits()).isEmpty();
    assertThat(refused.count(Figure.HOST_COMMITTED_BYTES, 1L << 30, (5L << 30) - 5_000).limits())
        .containsExactly(KnownLimit.OVERCOMMIT);
  }

  /** RLIMIT_NPROC counts one user's tasks; the host's are others' too. */
  @Test
  void theHostsThreadsAreNotHeldAgainstOneUsersLimit() {
    assertThat(new Seen(new Facts().user().sysctl("kernel.pid_max", "4194304").facts()).accepts("eagain", 80).log(NO_THREAD).count(Figure.HOST_TASKS, 100, 96_000).limits())
        .isEmpty();
  }
}
