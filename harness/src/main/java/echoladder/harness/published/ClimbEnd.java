package echoladder.harness.published;

import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far a server got in a published run, and what ended its climb there.
 *
 * @param options of the server that differ from its defaults; none = the server as it comes
 * @param place as that of a {@link Point}
 * @param held the most connections of a valid rung; 0 = none
 * @param end one of {@link #KNOWN}
 * @param endedAt the rung that was not held, or not tried as it was out of reach; null = none
 * @param endedBy the page in runbooks/symptoms of what ended it; empty where nothing did, or nothing in particular
 */
public record ClimbEnd(
    String study,
    String runId,
    String server,
    Map<String, String> options,
    String place,
    int held,
    End end,
    @Nullable Integer endedAt,
    String endedBy) {
  /** Those of climbs that were begun and are over. */
  static final Set<End> KNOWN = EnumSet.complementOf(EnumSet.of(End.CLIENT_MISSING, End.UNFINISHED));

  /** Those that say nothing of the server or its host: the study was at its top, or the run was stopped. */
  private static final Set<End> OF_THE_STUDY = EnumSet.of(End.TOP_OF_STUDY, End.INTERRUPTED);

  /** The columns of the file of climbs. */
  static final String HEADER = "study,run_id,server,options,place,highest_valid_connections,end,ended_at_connections,ended_by";

  private static final Pattern PAGE = Pattern.compile("runbooks/symptoms/([a-z-]+)\\.md");

  public ClimbEnd {
    options = new TreeMap<>(options);
  }

  /**
   * How a climb ended.
   *
   * @return empty where it is not one of {@link #KNOWN}
   */
  static Optional<ClimbEnd> of(String study, String runId, String server, Map<String, String> options, String place, ClimbRecord climb) {
    if (!KNOWN.contains(climb.end())) {
      return Optional.empty();
    }
    Integer held = climb.highestValidConnections();
    Matcher page = PAGE.matcher(climb.reason());
    // What the highest rung touched ended nothing.
    boolean ended = !OF_THE_STUDY.contains(climb.end());
    return Optional.of(
        new ClimbEnd(
            study, runId, server, options, place, held == null ? 0 : held, climb.end(), ended ? climb.endedAtConnections() : null,
            ended && page.find() ? page.group(1) : ""));
  }

  /** As {@link Point#optionsText}. */
  public String optionsText() {
    return Point.text(options);
  }

  /** {@code STUDY/RUN-ID}. */
  public String run() {
    return study + "/" + runId;
  }

  /** Its line of the file; an {@link IllegalArgumentException} where a cell would need quotes. */
  String line() {
    return ListFile.line(
        List.of(
            study, runId, server, optionsText(), place, String.valueOf(held), id(end), endedAt == null ? "" : String.valueOf(endedAt),
            endedBy));
  }

  /** From its line; an {@link IllegalArgumentException} says what is wrong with that. */
  static ClimbEnd parse(String line) {
    List<String> cells = ListFile.cells(line, HEADER);
    return new ClimbEnd(
        cells.get(0), cells.get(1), cells.get(2), Point.options(cells.get(3)), cells.get(4), Integer.parseInt(cells.get(5)),
        end(cells.get(6)), cells.get(7).isEmpty() ? null : (Integer) Integer.parseInt(cells.get(7)), cells.get(8));
  }

  /** As run.json has it. */
  public static String id(End end) {
    return end.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static End end(String id) {
    return KNOWN.stream().filter(end -> id(end).equals(id)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + id + "' is no end of a climb"));
  }
}
