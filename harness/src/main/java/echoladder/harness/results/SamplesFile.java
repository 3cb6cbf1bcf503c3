package echoladder.harness.results;

import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * samples.csv: one row per sample, written at once. Columns: server, connections, phase, seconds since the run began,
 * then every {@link Figure}, then the repeat and which try of it, then the rate and whether it is a check for drift, both empty
 * where the rate is no part of a rung's key; what could not be read is empty. It holds whole rows only: one that does
 * not fit on the disk is taken back, and is the last. Any thread may write.
 */
public final class SamplesFile implements AutoCloseable {
  /** Name of the file in a run's folder. */
  public static final String NAME = "samples.csv";

  /** The most that is read of one: a row has some 300 bytes. */
  public static final long MOST_BYTES = 512L << 20;

  /** Its first line. */
  public static final String HEADER =
      "server,connections,phase,seconds,"
          + Arrays.stream(Figure.values()).map(Figure::column).collect(Collectors.joining(","))
          + ",repeat,try,rate_per_s,drift_check";

  private final FileChannel out;
  private final long startNs;
  private final CompletableFuture<UnwritableException> failed = new CompletableFuture<>();

  private SamplesFile(FileChannel out, long startNs) {
    this.out = out;
    this.startNs = startNs;
  }

  /** Creates the file; {@code startNs} is CLOCK_MONOTONIC at the beginning of the run. */
  public static SamplesFile create(Path file, long startNs) throws IOException {
    SamplesFile samples =
        new SamplesFile(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), startNs);
    samples.append(HEADER);
    return samples;
  }

  /** Goes on at the end of a file of whole rows. */
  public static SamplesFile append(Path file, long startNs) throws IOException {
    FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    out.position(out.size());
    return new SamplesFile(out, startNs);
  }

  /** Completed with what was wrong when a row could not be written; nothing is written from then on. */
  public CompletableFuture<UnwritableException> failed() {
    return failed;
  }

  /**
   * Whose rows they are.
   *
   * @param number which try of the repeat, from 1
   */
  public record Key(RungKey rung, int number) {
    /** The cells that tell it from others, in the order of {@link #COLUMNS}. */
    public List<String> cells() {
      return List.of(
          rung.server(), String.valueOf(rung.connections()), String.valueOf(rung.repeat()), String.valueOf(number), rung.rate(),
          rung.ratePerS() == null ? "" : String.valueOf(rung.driftCheck()));
    }

    /** The columns of those cells. */
    public static final List<String> COLUMNS = List.of("server", "connections", "repeat", "try", "rate_per_s", "drift_check");
  }

  /** Appends a row. */
  public synchronized void write(Key key, String phase, Reading reading) {
    if (failed.isDone()) {
      return;
    }
    StringBuilder row = new StringBuilder();
    List<String> cells = key.cells();
    row.append(cells.get(0)).append(',').append(cells.get(1)).append(',').append(phase).append(',');
    row.append(String.format(Locale.ROOT, "%.3f", (reading.monotonicNs - startNs) / 1e9));
    for (Figure figure : Figure.values()) {
      row.append(',');
      reading.get(figure).ifPresent(row::append);
    }
    cells.subList(2, cells.size()).forEach(cell -> row.append(',').append(cell));
    try {
      append(row.toString());
    } catch (IOException e) {
      failed.complete(new UnwritableException("cannot write " + NAME, e));
    }
  }

  /** Returns when all rows are on the disk. */
  public synchronized void settle() throws IOException {
    out.force(true);
  }

  private void append(String line) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
    long whole = out.position();
    try {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (IOException e) {
      out.truncate(whole);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
