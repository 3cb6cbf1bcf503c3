package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.doctor.Prescription;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor --write} in a network namespace: its file is applied there, and is then what is in force. */
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
class DoctorWriteIT {
  @TempDir private Path dir;
  @TempDir private Path journals;
  private OwnNamespace namespace;

  @BeforeEach
  void lowered() throws Exception {
    namespace = new OwnNamespace("laddoc", journals);
    namespace.set("net.core.somaxconn", "77");
    namespace.set("net.ipv4.ip_local_port_range", "1024 2047");
  }

  @AfterEach
  void nothing() throws Exception {
    namespace.remove();
  }

  private LadderProcess doctor(String... more) {
    return namespace.ladder(
        dir,
        Stream.concat(
                Stream.of("doctor", "--server", "floor", "--tuples", "1", "--write", dir.resolve("w").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private List<String> texts() throws IOException {
    return List.of(
        Files.readString(dir.resolve("w").resolve(Prescription.SYSCTL)),
        Files.readString(dir.resolve("w").resolve(Prescription.LIMITS)),
        Files.readString(dir.resolve("w").resolve(Prescription.SERVICE)));
  }

  @Test
  void whatIsWrittenIsAppliedAndWrittenTheSameAgain() throws Exception {
    String file = dir.resolve("w").resolve(Prescription.SYSCTL).toString();
    try (LadderProcess write = doctor("--connections", "5000")) {
      assertThat(write.status()).as(write.err()).isEqualTo(1);
      assertThat(write.err()).contains(file + ": written");
    }
    List<String> before = texts();
    assertThat(before.getFirst()).contains("\nnet.core.somaxconn = 4096\n", "\nnet.ipv4.ip_local_port_range = 1024 65535\n");
    try (LadderProcess apply = namespace.ladder(dir, "tune", "apply", file)) {
      assertThat(apply.status()).as(apply.err()).isZero();
    }
    assertThat(namespace.read("net.core.somaxconn")).isEqualTo("4096");
    assertThat(namespace.read("net.ipv4.ip_local_port_range")).isEqualTo("1024 65535");
    try (LadderProcess verify = namespace.ladder(dir, "tune", "verify", file)) {
      assertThat(verify.status()).as(verify.out()).isZero();
    }
    try (LadderProcess again = doctor("--connections", "5000")) {
      assertThat(again.status()).as(again.err()).isIn(0, 1);
      assertThat(again.err()).contains(file + ": there already with these settings; left as it is");
    }
    assertThat(texts()).isEqualTo(before);
    Files.writeString(Path.of(file), "vm.swappiness = 7\n");
    try (LadderProcess refused = doctor("--connections", "5000")) {
      assertThat(refused.status()).isEqualTo(3);
      assertThat(refused.err()).contains("nothing was written: " + file + " is there already and sets something else");
      assertThat(Path.of(file)).hasContent("vm.swappiness = 7");
    }
    try (LadderProcess told = doctor("--connections", "5000", "--overwrite")) {
      assertThat(told.status()).as(told.err()).isIn(0, 1);
      assertThat(told.err()).contains(file + ": replaced, as it set something else");
    }
    assertThat(Files.readString(Path.of(file))).contains("\nnet.core.somaxconn = 4096\n");
    try (LadderProcess restore = namespace.ladder(dir, "tune", "restore")) {
      assertThat(restore.status()).as(restore.err()).isZero();
    }
    assertThat(namespace.read("net.core.somaxconn")).isEqualTo("77");
  }
}
