package echoladder.harness.soak;

import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The samples of a soak. Each is appended to a file at once, so that a soak which is killed or interrupted keeps them. Any thread. */
final class Samples {
  private final Sampled of;
  private final Path kept;
  private final List<SoakSample> all = new ArrayList<>();
  private long firstNs;
  private @Nullable String failure;

  /**
   * None yet.
   *
   * @param kept the file that they are appended to, a line of JSON each; one of an earlier try is removed
   * @throws IOException where it cannot be removed
   */
  Samples(Sampled of, Path kept) throws IOException {
    this.of = of;
    this.kept = kept;
    Files.deleteIfExists(kept);
  }

  /** Takes one more. */
  synchronized void add() {
    long nowNs = System.nanoTime();
    firstNs = all.isEmpty() ? nowNs : firstNs;
    double seconds = (nowNs - firstNs) / 1e9;
    try {
      SoakSample sample = of.at(seconds);
      all.add(sample);
      Files.writeString(kept, RunFolder.tree(sample) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException | RuntimeException e) {
      // Of any kind: a thread that ended here would leave a soak with fewer samples, and nobody would know why.
      failure = failure == null ? "no sample after %.0f s: %s".formatted(seconds, ErrorText.of(e)) : failure;
    }
  }

  /** What was taken. */
  synchronized List<SoakSample> all() {
    return List.copyOf(all);
  }

  /** What is wrong with them, in sentences; none = nothing is. */
  synchronized List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    if (failure != null) {
      wrong.add(failure);
    }
    if (all.size() < Drift.LEAST_SAMPLES) {
      wrong.add("%d samples are too few to tell growth from chance; %d are needed".formatted(all.size(), Drift.LEAST_SAMPLES));
    }
    return wrong;
  }
}
