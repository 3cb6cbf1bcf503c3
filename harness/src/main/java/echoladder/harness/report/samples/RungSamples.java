package echoladder.harness.report.samples;

import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** samples.csv by rung, as far as a line of time needs it. A row that was cut, as by a full disk, is left out and told. */
public final class RungSamples {
  /**
   * One row.
   *
   * @param phase of the rung
   * @param seconds since the run began
   * @param achievedPerS as the client said it; empty where it did not
   * @param gcPauseNs pauses of the server's collector together since it started; empty where it has none to tell of
   * @param serverHiccupNs the server's longest hiccup since the row before; empty where it has no meter
   */
  record Sample(
      String phase, double seconds, OptionalDouble achievedPerS, OptionalDouble gcPauseNs, OptionalDouble serverHiccupNs) {}

  /** Bound on the rows: twelve days with a sample a second. */
  private static final int MOST_ROWS = 1_000_000;

  private final Map<List<String>, List<Sample>> byRung = new HashMap<>();
  private final String damage;

  private RungSamples(Iterator<String> lines) {
    int rows = 0;
    int cut = 0;
    List<String> columns = lines.hasNext() ? List.of(lines.next().split(",", -1)) : List.of();
    while (lines.hasNext() && rows < MOST_ROWS) {
      Row row = new Row(columns, List.of(lines.next().split(",", -1)));
      rows++;
      OptionalDouble seconds = row.whole() ? row.number("seconds") : OptionalDouble.empty();
      if (seconds.isEmpty()) {
        cut++;
      } else {
        byRung
            .computeIfAbsent(
                List.of(
                    row.text("server"), row.text("connections"), row.orOne("repeat"), row.orOne("try"), row.text("rate_per_s"),
                    row.text("drift_check")),
                _ -> new ArrayList<>())
            .add(
                new Sample(
                    row.text("phase"), seconds.getAsDouble(), row.number("client_achieved_per_s"),
                    row.number("server_gc_pause_ns"), row.number("server_hiccup_max_ns")));
      }
    }
    String damaged = cut == 0 ? "" : "%,d of its %,d rows are cut and left out".formatted(cut, rows);
    damage = lines.hasNext() ? "what comes after its first %,d rows is left out".formatted(rows) : damaged;
  }

  private RungSamples(String why) {
    damage = why;
  }

  private record Row(List<String> columns, List<String> cells) {
    boolean whole() {
      return cells.size() == columns.size();
    }

    String text(String column) {
      int at = columns.indexOf(column);
      return at < 0 ? "" : cells.get(at);
    }

    /** Files from before repeats, or tries, have no such column, and one of each. */
    String orOne(String column) {
      String text = text(column);
      return text.isEmpty() ? "1" : text;
    }

    OptionalDouble number(String column) {
      String text = text(column);
      try {
        return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
      } catch (NumberFormatException e) {
        return OptionalDouble.empty();
      }
    }
  }

  /** Reads the samples of a run folder; where the file cannot be read there are none, and {@link #damage} says why. */
  public static RungSamples read(PlainFiles files) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(files.open(SamplesFile.NAME, SamplesFile.MOST_BYTES), StandardCharsets.UTF_8))) {
      return new RungSamples(lines.lines().iterator());
    } catch (NoSuchFileException e) {
      return new RungSamples(RungTimes.NOT_THERE);
    } catch (IOException | UncheckedIOException e) {
      return new RungSamples("it could not be read (" + e.getMessage() + ")");
    }
  }

  /** Those of a rung; empty where there are none. */
  List<Sample> of(RungRecord rung) {
    return byRung.getOrDefault(new SamplesFile.Key(rung.key(), rung.number()).cells(), List.of());
  }

  /** Why there are none, or not all; empty where nothing is missing. */
  public String damage() {
    return damage;
  }
}
