package echoladder.harness.claims;

import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures.Span;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.StagedMetrics;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a claim takes of a climb, from its run.json: the figures of its rungs that may be quoted, those of a rung with
 * {@code _at_} and its connections behind the name, those of users in stages by themselves; and what ended it. Pure.
 */
final class ClimbFigures {
  /** How a climb ended whose highest rung, or whose stages, may not be quoted by the fault of the client or the host. */
  static final String NOT_VALID = "not-valid";

  /** Under this name, with the rung behind it, stands why it may not be quoted. */
  static final String INVALID = "invalid";

  private ClimbFigures() {}

  /**
   * What the one server of a run showed.
   *
   * @param endedBy done where all of it was climbed, and validly; else how the climb ended
   */
  record Climbed(String endedBy, String detail, JsonNode figures) {}

  /** Takes the figures of a run that climbed one server, each rung once. */
  static Climbed of(RunRecord run) {
    ObjectNode figures = JsonMapper.shared().createObjectNode();
    for (RungRecord rung : run.rungs()) {
      if (rung.load() == null || rung.driftCheck()) {
        continue;
      }
      String rate = rung.key().rate().isEmpty() ? "" : "_and_" + rung.key().rate() + "_per_s";
      String at = rung.staged() == null ? "_at_" + rung.connections() + rate : "";
      if (rung.valid() && rung.process() != null) {
        figures.put(RecordMetrics.READY.name() + at, Math.round(rung.process().readySeconds() * 1e9));
      }
      if (!rung.valid()) {
        figures.put(INVALID + at, reasons(rung));
      } else if (rung.staged() == null) {
        Shown.IN_CLAIMS.forEach(figure -> put(figures, figure.name() + at, figure.of(rung)));
      } else {
        Shown.IN_CLAIMS_OF_STAGES.forEach(figure -> put(figures, figure.name(), figure.of(rung)));
        staged(rung.staged(), figures);
      }
    }
    return ended(run, figures);
  }

  private static String reasons(RungRecord rung) {
    return Objects.requireNonNull(rung.load()).verdictReasons().stream()
        .map(doubt -> doubt.reason().id() + ": " + doubt.detail())
        .collect(Collectors.joining("; "));
  }

  private static void staged(StagedFigures staged, ObjectNode into) {
    Span whole = staged.whole();
    if (whole == null) {
      return;
    }
    into.put(RecordMetrics.CEILING.name(), whole.ceilingPerS());
    for (RequestFigures request : whole.requests()) {
      String name = request.request().equals(Span.ALL) ? "" : request.request().replace('-', '_') + "_";
      for (Metric figure : Shown.IN_CLAIMS_OF_REQUESTS) {
        put(into, name + figure.name(), StagedMetrics.of(figure, request));
      }
    }
  }

  private static void put(ObjectNode into, String name, @Nullable Number value) {
    if (value != null) {
      into.set(name, RunFolder.tree(value));
    }
  }

  private static Climbed ended(RunRecord run, ObjectNode figures) {
    if (run.status() != RunRecord.Status.COMPLETE || run.climbs().size() != 1) {
      return new Climbed("signal", "the climb was stopped before its end", figures);
    }
    ClimbRecord climb = run.climbs().getFirst();
    int top = run.study().rungs().getLast();
    String by =
        switch (climb.end()) {
          case TOP_OF_STUDY -> Objects.equals(climb.highestValidConnections(), top) ? StepRun.DONE : NOT_VALID;
          case RESPONSE_TIME_BOUND -> "response-time-bound";
          case NOT_HELD -> "not-held";
          case SERVER_FAILED -> "server-failed";
          case OUT_OF_REACH -> "out-of-reach";
          case CLIENT_MISSING -> "client-missing";
          case INTERRUPTED, UNFINISHED -> "signal";
        };
    if (!by.equals(NOT_VALID)) {
      figures.put(RecordMetrics.HIGHEST_VALID.name(), climb.highestValidConnections());
      return new Climbed(by, by.equals(StepRun.DONE) ? "" : at(climb) + climb.reason(), figures);
    }
    String why =
        run.rungs().stream()
            .filter(rung -> rung.connections() == top && rung.load() != null && !rung.valid())
            .map(ClimbFigures::reasons)
            .collect(Collectors.joining("; "));
    return new Climbed(by, "what it measured at %,d connections may not be quoted: %s".formatted(top, why), figures);
  }

  private static String at(ClimbRecord climb) {
    return climb.endedAtConnections() == null ? "" : "at %,d connections: ".formatted(climb.endedAtConnections());
  }
}
