package echoladder.harness.report.words;

import echoladder.harness.common.Units;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the signs in a table mean: a sentence for each that stands there. The one home of the signs. */
public final class Legend {
  /** Marks a time that is mostly the load tool's own timers. */
  static final String TIMERS = "†";

  /** Characters in a line of a sentence, where a terminal does not have fewer. */
  public static final int MOST_COLUMNS = 100;

  private static final String UNSETTLED = "‡";
  private static final String DISTURBED = "≈";
  private static final String GAPS = "°";

  private static final Pattern NOTHING = Pattern.compile("(?<=\\s)" + Units.NONE + "(?=\\s|$)", Pattern.MULTILINE);

  private record Sign(String sign, String means) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign(
              "≤",
              "≤: at most. Server time is what the server took, by the kernel's stamps; the response time is its upper bound, which also"
                  + " has what the client was late by."),
          new Sign(
              "last p50",
              "first, last, delivery: from the intended publish of a message to its arrival at its first subscriber, at its last one, at"
                  + " each, by the kernel's stamps. What other tables call an echo is a delivery."),
          new Sign(GAPS, GAPS + ": the host's gaps. They may explain more than half of what lies beyond this percentile."),
          new Sign("≥", "≥: at least. Part of the messages was never answered; they count at their age."),
          new Sign(
              TIMERS, TIMERS + ": below twice the load tool's own timer, which delays its sends: the tool is in it as much as the server."),
          new Sign(
              DISTURBED,
              DISTURBED
                  + ": the host was disturbed. Its speed was %.0f to %.0f %% off the run's median, or others took more CPU than the study"
                      .formatted(100 * Quoting.SPEED_MARKED, 100 * Quoting.SPEED_WITHHELD)
                  + " bears. This CPU may be off."),
          new Sign(
              UNSETTLED,
              UNSETTLED + ": the server had not settled: its JIT compilers took over a tenth of this CPU, its warm-up was cut short, or its"
                  + " cost still moved."),
          new Sign(
              "~0 (noise",
              Unit.NOISE + ": the value is below zero, as what is left of two readings of the host can be; results.csv has it."),
          new Sign(Units.NONE, Units.NONE + ": not given. A percentile needs 20 messages beyond it; other figures could not be read."));

  private Legend() {}

  /** The sign of a mark, one character; empty where nothing is marked. */
  public static String sign(Quoting.Mark mark) {
    return switch (mark) {
      case NONE -> "";
      case GAPS -> GAPS;
      case DISTURBED -> DISTURBED;
      case UNSETTLED -> UNSETTLED;
    };
  }

  /** A sentence in lines of at most {@link #MOST_COLUMNS}. */
  public static String lines(String sentence) {
    return lines(sentence, MOST_COLUMNS);
  }

  /** A sentence in lines of at most so many characters, for a terminal; a further line is indented. */
  public static String lines(String sentence, int columns) {
    StringBuilder out = new StringBuilder();
    int length = 0;
    for (String word : sentence.split(" ", -1)) {
      if (length > 0 && length + 1 + word.length() > columns) {
        out.append("\n  ").append(word);
        length = 2 + word.length();
      } else {
        out.append(length == 0 ? "" : " ").append(word);
        length += (length == 0 ? 0 : 1) + word.length();
      }
    }
    return out.append('\n').toString();
  }

  /** The sentences for the signs that stand in a text, in the order of their weight. */
  public static List<String> of(String text) {
    List<String> lines = new ArrayList<>();
    for (Sign sign : SIGNS) {
      // A dash within a cell is that of a range.
      if (sign.sign.equals(Units.NONE) ? NOTHING.matcher(text).find() : text.contains(sign.sign)) {
        lines.add(sign.means);
      }
    }
    return lines;
  }
}
