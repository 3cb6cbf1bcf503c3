package echoladder.harness.results;

import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * samples.csv: one row per sample, flushed at once. Columns: server, connections, phase, seconds since the run began,
 * then every {@link Figure}, then the repeat; what could not be read is empty. Any thread may write.
 */
public final class SamplesFile implements AutoCloseable {
  private final BufferedWriter out;
  private final long startNs;

  /** Creates the file; {@code startNs} is CLOCK_MONOTONIC at the beginning of the run. */
  public SamplesFile(Path file, long startNs) throws IOException {
    this.out = Files.newBufferedWriter(file);
    this.startNs = startNs;
    out.write(
        "server,connections,phase,seconds,"
            + Arrays.stream(Figure.values()).map(Figure::column).collect(Collectors.joining(","))
            + ",repeat");
    out.newLine();
    out.flush();
  }

  /** Appends a row. */
  public synchronized void write(String server, int connections, int repeat, String phase, Reading reading) {
    StringBuilder row = new StringBuilder();
    row.append(server).append(',').append(connections).append(',').append(phase).append(',');
    row.append(String.format(Locale.ROOT, "%.3f", (reading.monotonicNs - startNs) / 1e9));
    for (Figure figure : Figure.values()) {
      row.append(',');
      reading.get(figure).ifPresent(row::append);
    }
    row.append(',').append(repeat);
    try {
      out.write(row.toString());
      out.newLine();
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write samples.csv (disk full?)", e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
