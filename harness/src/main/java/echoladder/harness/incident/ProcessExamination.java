package echoladder.harness.incident;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.incident.Bound.State;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.probe.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What was found of a process that runs.
 *
 * @param asked connections that it shall come to; null = none were named
 * @param reach whether it can
 * @param connections that it has now
 * @param first the limit that stops it first; null where none that was seen does
 * @param answer in sentences: what stops it and the command that lifts that come first
 * @param perConnection what a connection takes
 * @param rows each limit, those first that stop it first
 * @param process what was seen of it
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ProcessExamination(
    @Nullable Long asked,
    Reach reach,
    long connections,
    @Nullable Bound first,
    List<String> answer,
    PerConnection perConnection,
    List<Bound> rows,
    ProcessLook process) {

  /** Whether the process can come to the connections, or without a number whether it can take another one. */
  public enum Reach {
    @JsonProperty("in-reach")
    IN_REACH,
    @JsonProperty("out-of-reach")
    OUT_OF_REACH
  }

  public ProcessExamination {
    answer = List.copyOf(answer);
    rows = List.copyOf(rows);
  }

  /** Judges a look. Pure arithmetic. */
  public static ProcessExamination of(ProcessLook look, @Nullable Long asked) {
    PerConnection each = PerConnection.of(look);
    List<Bound> rows = ProcessBounds.of(look, each, asked == null ? 0 : asked);
    Bound first = rows.stream().filter(Bound::firm).findFirst().orElse(null);
    boolean reached = first == null || (asked == null ? first.state() != State.STOPS_NOW : first.at() >= asked);
    List<String> answer = new ArrayList<>();
    answer.add(headline(look, first));
    if (asked != null) {
      answer.add(ofThatMany(look, rows, asked));
    }
    answer.addAll(besides(look, rows, first));
    return new ProcessExamination(
        asked, reached ? Reach.IN_REACH : Reach.OUT_OF_REACH, look.connections(), first, answer, each, rows, look);
  }

  private static String headline(ProcessLook look, @Nullable Bound first) {
    String who = "process %s has %s".formatted(look.identity().words(), connections(look.connections()));
    if (first == null) {
      return who + "; no limit that is seen here stops it at a number of them";
    }
    String use =
        "%s (%s of %s%s%s)"
            .formatted(
                first.limit(),
                Amounts.of(first.unit(), first.used()),
                Amounts.of(first.unit(), first.most()),
                first.unit().equals("bytes") ? "" : " " + first.unit(),
                first.subject() == null ? "" : ", " + first.subject());
    String when = first.state() == State.STOPS_NOW ? "is STOPPED NOW" : "stops at " + Amounts.count(first.stopsAt());
    return "%s and %s by %s; to lift it: %s".formatted(who, when, use, first.lift());
  }

  private static String connections(long n) {
    return n == 1 ? "1 connection" : Amounts.count(n) + " connections";
  }

  private static String ofThatMany(ProcessLook look, List<Bound> rows, long asked) {
    List<Bound> shorts = rows.stream().filter(row -> row.firm() && row.at() < asked).toList();
    if (shorts.isEmpty()) {
      return "%s are within every limit whose use is known".formatted(connections(asked));
    }
    StringBuilder text = new StringBuilder("%s are out of reach:".formatted(connections(asked)));
    for (Bound row : shorts) {
      long at = Math.max(row.at(), look.connections());
      text.append("\n    %s by %s: %s".formatted(Amounts.count(at), row.limit(), row.lift()));
    }
    return text.toString();
  }

  /** What else there is to know, the more pressing first. */
  private static List<String> besides(ProcessLook look, List<Bound> rows, @Nullable Bound first) {
    List<String> more = new ArrayList<>();
    for (Listener listener : look.sockets().listeners()) {
      if (listener.full() && (first == null || !listener.address().equals(first.subject()))) {
        more.add(
            "its accept queue at %s is full (%s of %s), so new connections are dropped: it does not accept as fast as they come%s"
                .formatted(
                    listener.address(), Amounts.count(listener.waiting()), Amounts.count(listener.backlog()),
                    first != null && first.limit().equals(KnownLimit.NOFILE_SOFT.id()) ? ", for want of descriptors" : ""));
      } else if (listener.dropped() > 0) {
        more.add(
            "its accept queue at %s has dropped %s connections since it listens"
                .formatted(listener.address(), Amounts.count(listener.drops())));
      }
    }
    count(look, Figure.CGROUP_TASK_REFUSALS, "its control group has refused to start a thread or process %s times").ifPresent(more::add);
    count(look, Figure.CGROUP_OOM_KILLS, "the kernel has killed processes of its control group for want of memory %s times")
        .ifPresent(more::add);
    rows.stream()
        .filter(row -> row.state() == State.NOT_BEFORE && (first == null || row.at() < first.at()))
        .min(Comparator.comparingLong(Bound::at))
        .ifPresent(
            row ->
                more.add(
                    "%s may stop it before, at %s connections or later: %s"
                        .formatted(row.limit(), Amounts.count(row.at()), row.arithmetic())));
    more.addAll(look.hints());
    look.notKnown().forEach(sentence -> more.add("not known: " + sentence));
    return more;
  }

  private static Optional<String> count(ProcessLook look, Figure counter, String words) {
    long count = Objects.requireNonNullElse(look.counters().get(counter.column()), 0L);
    return count > 0 ? Optional.of(words.formatted(Amounts.count(count))) : Optional.empty();
  }
}
