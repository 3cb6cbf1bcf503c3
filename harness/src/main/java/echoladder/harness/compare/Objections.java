package echoladder.harness.compare;

import echoladder.harness.lab.LabMark;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why figures of two runs may not stand side by side. Pure. */
final class Objections {
  private Objections() {}

  /** Everything that speaks against it; empty = comparable. */
  static List<String> to(RunRecord first, RunRecord second) {
    Set<String> against = measuredOtherwise(first, second);
    List<CommonRung> common = against.isEmpty() ? CommonRung.of(first, second) : List.of();
    if (against.isEmpty() && common.isEmpty()) {
      against.add(
          "they have no valid rung in common: the first has %s, the second %s"
              .formatted(valid(first), valid(second)));
    }
    Set<String> ours = contenders(first);
    Set<String> theirs = contenders(second);
    if (!common.isEmpty() && !ours.isEmpty() && !theirs.isEmpty() && Collections.disjoint(ours, theirs)) {
      against.add(
          ("they have no server in common but the floor, which is there to compare others with: the first has %s, the second %s; a server"
              + " goes by its label, so give both one: --name of a server of your own, label in a study")
              .formatted(String.join(", ", ours), String.join(", ", theirs)));
    }
    return List.copyOf(against);
  }

  /** By what instrument, load, placement or kernel the figures of two runs are others, in sentences; empty where by none. */
  static Set<String> measuredOtherwise(RunRecord first, RunRecord second) {
    // Of several servers the same is said once.
    Set<String> against = new LinkedHashSet<>();
    if (!Instrument.alike(first.instrument(), second.instrument(), Stream.of(first.study(), second.study()))) {
      differ(
          against,
          "the version of the instrument",
          instrument(first),
          instrument(second),
          "a figure of one name does not mean one thing in both; measure one of them again, see docs/decisions/instrument-version.md");
    }
    if (first.study().load().staged() != null || second.study().load().staged() != null) {
      against.add("users in stages have no rungs to compare; their reports stand for themselves");
    }
    for (Study.Entry ours : first.study().servers()) {
      second
          .study()
          .entry(ours.label())
          .ifPresent(theirs -> against.addAll(SameLoad.differences(first, ours, second, theirs)));
    }
    differ(
        against,
        "where the server was",
        place(first),
        place(second),
        "over loopback the sender pays for the receiver, and host figures are of other hosts");
    differ(against, "the kernel", kernel(first), kernel(second), "a lab's system calls cost many times as much");
    return against;
  }

  static void differ(Set<String> against, String what, @Nullable Object a, @Nullable Object b, String why) {
    if (!Objects.equals(a, b)) {
      against.add("they differ in %s (%s and %s): %s".formatted(what, a, b, why));
    }
  }

  /** Servers by label that are no reference. */
  private static Set<String> contenders(RunRecord run) {
    return run.servers().stream()
        .filter(server -> !server.role().equals("reference"))
        .map(RunRecord.ServerRecord::label)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String instrument(RunRecord run) {
    return run.instrument() == Instrument.UNRECORDED ? "1, from before it was recorded" : String.valueOf(run.instrument());
  }

  private static String place(RunRecord run) {
    if (run.overHosts()) {
      return "on a host of its own, which host figures are of";
    }
    return run.attached() == null || run.attached().sameHost() ? "on the client's host" : "on another host";
  }

  private static String kernel(RunRecord run) {
    LabMark mark = LabMark.in(run.environment());
    return mark == null ? "the host's" : mark.ofHosts() ? "that of all hosts" : "a lab's";
  }

  private static String valid(RunRecord run) {
    List<String> rungs =
        run.rungs().stream()
            .filter(RungRecord::valid)
            .map(rung -> rung.server() + " " + rung.key().load())
            .distinct()
            .toList();
    return rungs.isEmpty() ? "none" : String.join(", ", rungs);
  }
}
