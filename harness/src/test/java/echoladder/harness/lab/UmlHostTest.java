package echoladder.harness.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.HostLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UmlHostTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path dir;

  private UmlHost host(String architecture, List<Path> path, List<String> mounts, long available, long maps) {
    HostLimits limits = new HostLimits(1_024, available, "/proc/meminfo");
    return new UmlHost(architecture, path, dir, mounts, limits, OptionalLong.of(maps));
  }

  private UmlHost roomy(List<String> mounts) {
    return host("amd64", List.of(dir), mounts, 64 * GIB, 65_530);
  }

  private static void refusedBy(Runnable check, String... words) {
    assertThatThrownBy(check::run)
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(Refusal.CANNOT_RUN))
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("\n");
  }

  @Test
  void withoutItsKernelThePackageIsNamedInOneLine() {
    refusedBy(roomy(List.of())::refuseWithoutPrograms, "linux.uml", "apt install user-mode-linux");
  }

  /** Seen: the lab booted, said that it had no scratch, and no server could write what it needs below /tmp. */
  @Test
  void withoutWhatLoadsModulesNothingIsBooted() throws IOException {
    for (String name : UmlHost.PROGRAMS.keySet()) {
      if (!name.equals("insmod")) {
        assertThat(Files.createFile(dir.resolve(name)).toFile().setExecutable(true)).isTrue();
      }
    }
    refusedBy(roomy(List.of())::refuseWithoutPrograms, "insmod", "apt install kmod");
  }

  @Test
  void anotherArchitectureIsRefused() {
    refusedBy(host("aarch64", List.of(dir), List.of(), 64 * GIB, 1)::refuseWithoutPrograms, "x86-64 alone", "aarch64");
  }

  @Test
  void aProgramIsFoundOnThePathAndAFolderOfItsNameIsNone() throws IOException {
    Path program = Files.createFile(Files.createDirectory(dir.resolve("bin")).resolve("linux.uml"));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(dir.resolve("other/linux.uml"));
    UmlHost host = host("amd64", List.of(dir.resolve("other"), dir.resolve("bin")), List.of(), GIB, 1);
    assertThat(host.program("linux.uml")).isEqualTo(program);
  }

  @Test
  void memoryThatIsNotAvailableIsRefused() {
    UmlHost host = host("amd64", List.of(dir), List.of(), 4 * GIB, 1);
    assertThat(host.memoryFolder(3 * GIB)).isEqualTo(dir);
    refusedBy(() -> host.memoryFolder(4 * GIB), "a lab of 4,096 MiB does not fit", "4,096 MiB are available", "--memory");
  }

  @Test
  void aFolderWithoutThatMuchRoomIsRefused() throws IOException {
    long more = Files.getFileStore(dir).getUsableSpace() + GIB;
    UmlHost host = host("amd64", List.of(dir), List.of(), Long.MAX_VALUE, 1);
    refusedBy(() -> host.memoryFolder(more), dir + " has room for ", "TMPDIR=DIR");
  }

  @Test
  void aFolderThatIsMountedNoexecIsRefused() throws IOException {
    String here = dir.toRealPath().toString();
    assertThat(roomy(List.of("/dev/vda / ext4 rw,noexec 0 0", "tmpfs " + here + " tmpfs rw 0 0")).memoryFolder(GIB))
        .isEqualTo(dir);
    UmlHost host = roomy(List.of("/dev/vda / ext4 rw 0 0", "tmpfs " + here + " tmpfs rw,nosuid,noexec 0 0"));
    refusedBy(() -> host.memoryFolder(GIB), "is mounted noexec");
  }

  @Test
  void tooFewMappingsAreSaidWithTheCommandThatLiftsThem() {
    assertThat(host("amd64", List.of(dir), List.of(), GIB, 262_144).doubts(GIB)).isEmpty();
    assertThat(host("amd64", List.of(dir), List.of(), GIB, 65_530).doubts(GIB))
        .singleElement()
        .asString()
        .contains("65,530", "sysctl -w vm.max_map_count=262144");
  }

  @Test
  void fewerMappingsThanTheCommandMayTakeAreRefusedBeforeAnythingStarts() {
    UmlHost host = host("amd64", List.of(dir), List.of(), GIB, 65_530);
    host.refuseFewMappings(16 * GIB, 0);
    host.refuseFewMappings(3 * GIB, Mappings.of(3 * GIB));
    host.refuseFewMappings(3 * GIB, Mappings.of(60_000));
    refusedBy(
        () -> host.refuseFewMappings(16 * GIB, Mappings.of(16 * GIB)),
        "262,144 memory mappings", "is 65,530", "Nothing was started", "sudo sysctl -w vm.max_map_count=1048576", "--few-mappings");
    refusedBy(() -> host.refuseFewMappings(14 * GIB, Mappings.of(1_000_000)), "419,200 memory mappings", "vm.max_map_count=1048576");
  }

  @Test
  void aClimbBeyondTheHostsMappingsIsRefusedInTheLab() {
    LabHost host = new LabHost(1, 65_530);
    host.refuseBeyondMappings(60_000);
    refusedBy(() -> host.refuseBeyondMappings(1_000_000), "1,000,000 connections", "is 65,530", "sudo sysctl -w");
  }

  @Test
  void theProcessorWithTheFewestLabsIsTakenAndOfSeveralTheLast() {
    List<Integer> allowed = LabCpu.cpus(List.of("Name:\tx", "Cpus_allowed_list:\t0-2,5"));
    assertThat(allowed).containsExactly(0, 1, 2, 5);
    assertThat(LabCpu.choose(allowed, Map.of())).isEqualTo(5);
    assertThat(LabCpu.choose(allowed, Map.of(5, 1, 2, 1))).isEqualTo(1);
    assertThat(LabCpu.choose(allowed, Map.of(5, 1, 2, 1, 1, 1, 0, 1))).isEqualTo(5);
  }
}
