package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

  @TempDir private Path dir;

  @Test
  void eachRunHasAFolderOfItsOwn() {
    Set<Path> folders = new HashSet<>();
    // The same seed again: the suffixes that are taken already are drawn first.
    for (int i = 0; i < 5; i++) {
      folders.add(RunFolder.create(dir, "s", NOON, new Random(1)).dir());
    }
    assertThat(folders).hasSize(5).allMatch(Files::isDirectory);
    assertThat(folders.iterator().next().getFileName().toString()).matches("20260102T120000Z-[0-9a-f]{4}");
  }

  @Test
  void aFolderThatCannotBeCreatedIsAPlainMessage() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    assertThatThrownBy(() -> RunFolder.create(file, "s", NOON, new Random(1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot create a run folder in " + file.resolve("s"))
        .hasMessageContaining("--results DIR");
  }

  @Test
  void aFileIsReplacedAsAWholeAndNothingElseIsLeft() throws IOException {
    RunFolder folder = RunFolder.create(dir, "s", NOON, new Random(1));
    folder.replace("run.json", "a long text, longer than the next");
    folder.replace("run.json", "short");
    assertThat(folder.file("run.json")).hasContent("short");
    try (var files = Files.list(folder.dir())) {
      assertThat(files).containsExactly(folder.file("run.json"));
    }
  }

  @Test
  void saysWhatIsNoRun() throws IOException {
    RunFolder folder = new RunFolder(dir);
    assertThatThrownBy(folder::read).isInstanceOf(Refusal.class).hasMessageContaining("there is no such file");
    for (String text : List.of("", "{", "[]", "{\"schema_version\": 1, \"what\": 2}", "nonsense")) {
      Files.writeString(folder.file("run.json"), text);
      assertThatThrownBy(folder::read)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("run.json: not a run.json of this ladder");
    }
  }

  @Test
  void samplesAreRowsWithAnEmptyCellForWhatIsMissing() throws IOException {
    Path file = dir.resolve("samples.csv");
    try (SamplesFile samples = SamplesFile.create(file, 1_000_000_000L)) {
      Reading reading = new Reading(3_500_000_000L);
      reading.put(Figure.SERVER_CPU_NS, 7);
      samples.write(new SamplesFile.Key(new RungKey("netty", 1000, null, 2, false), 3), "steady", reading);
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("server,connections,phase,seconds,server_cpu_ns,client_cpu_ns,");
    assertThat(lines.getLast()).startsWith("netty,1000,steady,2.500,7,,");
    assertThat(lines.getFirst()).endsWith(",repeat,try,rate_per_s,drift_check");
    assertThat(lines.getLast()).endsWith(",,2,3,,");
    assertThat(lines.getLast().split(",", -1)).hasSameSizeAs(lines.getFirst().split(",", -1));
  }

  @Test
  void theEnvironmentNamesWhatMattersAndNobody() {
    var environment =
        Environment.read(new echoladder.harness.common.Checkout(dir));
    assertThat(environment)
        .containsKeys(
            "ladder", "kernel", "distribution", "cpu", "memory", "limits", "cgroup", "virtualization", "runtimes", "sysctl");
    assertThat(String.valueOf(environment.get("sysctl"))).contains("net.ipv4.ip_local_port_range");
    assertThat(environment.toString()).doesNotContain(System.getProperty("user.dir"), dir.toString());
    assertThat(Environment.distribution(List.of("NAME=x", "PRETTY_NAME=\"Some Linux 1\""))).isEqualTo("Some Linux 1");
  }
}
