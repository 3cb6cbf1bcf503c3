package echoladder.harness.resume;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.report.samples.WholeLog;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A rung is kept where its interval log is what it was recorded with; a power cut leaves one that is empty or cut. */
class KeptRungsTest {
  private static final Path REFERENCE = Path.of("../results/reference/limits/20261122T033434Z-ec79");

  @TempDir private Path dir;
  private Path log = Path.of("never-used");
  private byte[] whole = {};
  private RungRecord rung = new RunFolder(REFERENCE).read().rungs().getFirst();

  @BeforeEach
  void aRungWithItsLog() throws IOException {
    Files.copy(REFERENCE.resolve("run.json"), dir.resolve("run.json"));
    rung =
        old().rungs().stream()
            .filter(r -> r.histograms() != null && r.valid() && Objects.requireNonNull(r.load()).messages().answered() > 0)
            .findFirst()
            .orElseThrow();
    log = dir.resolve(Objects.requireNonNull(rung.histograms()));
    whole = Files.readAllBytes(REFERENCE.resolve(Objects.requireNonNull(rung.histograms())));
    Files.write(log, whole);
  }

  private RunRecord old() {
    return new RunFolder(dir).read();
  }

  private RunRecord recorded() throws IOException {
    ObjectNode run = (ObjectNode) RunFolder.tree(old());
    String name = log.getFileName().toString();
    run.putObject("logs").set(name, RunFolder.tree(LogRecord.of(new PlainFiles(dir), name)));
    return RunFolder.parse(run.toString());
  }

  private String damage(RunRecord run) {
    return WholeLog.damage(new RunFolder(dir), run, rung).orElse("");
  }

  @Test
  void byItsSizeAndHash() throws IOException {
    RunRecord run = recorded();
    assertThat(damage(run)).isEmpty();
    Files.write(log, new byte[0]);
    assertThat(damage(run)).isEqualTo("it has 0 of the %,d bytes that it was recorded with".formatted(whole.length));
    Files.write(log, Arrays.copyOf(whole, whole.length / 2));
    assertThat(damage(run)).contains("bytes that it was recorded with");
    byte[] changed = whole.clone();
    changed[changed.length / 2] ^= 1;
    Files.write(log, changed);
    assertThat(damage(run)).isEqualTo("its content is not what it was recorded with");
    Files.write(log, new byte[whole.length]);
    assertThat(damage(run)).as("a file of zeros, as some file systems leave one").isNotEmpty();
    Files.delete(log);
    assertThat(damage(run)).contains("cannot be read");
  }

  /** A run from before sizes were recorded. */
  @Test
  void elseByTheMessagesThatItMustHave() throws IOException {
    assertThat(damage(old())).isEmpty();
    Files.write(log, new byte[0]);
    assertThat(damage(old())).contains("of the steady state that run.json counts");
    Files.write(log, Arrays.copyOf(whole, whole.length / 2));
    assertThat(damage(old())).isNotEmpty();
    Files.write(log, new byte[whole.length]);
    assertThat(damage(old())).isNotEmpty();
    Files.delete(log);
    assertThat(damage(old())).isEqualTo("it is not there");
  }
}
