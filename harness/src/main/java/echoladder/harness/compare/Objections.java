package echoladder.harness.compare;

import echoladder.harness.lab.LabMark;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why figures of two runs may not stand side by side. Pure. */
final class Objections {
  private Objections() {}

  /** Everything that speaks against it; empty = comparable. */
  static List<String> to(RunRecord first, RunRecord second) {
    // Of several servers the same is said once.
    Set<String> against = new LinkedHashSet<>();
    differ(
        against,
        "the version of the instrument",
        instrument(first),
        instrument(second),
        "a figure of one name does not mean one thing in both; measure one of them again, see docs/decisions/instrument-version.md");
    if (first.study().load().staged() != null || second.study().load().staged() != null) {
      against.add("users in stages have no rungs to compare; their reports stand for themselves");
    }
    for (Study.Entry ours : first.study().servers()) {
      second
          .study()
          .entry(ours.label())
          .ifPresent(theirs -> loads(against, first.study().load(ours), second.study().load(theirs)));
    }
    differ(
        against,
        "where the server was",
        place(first),
        place(second),
        "over loopback the sender pays for the receiver, and host figures are of other hosts");
    differ(against, "the kernel", kernel(first), kernel(second), "a lab's system calls cost many times as much");
    if (against.isEmpty() && CommonRung.of(first, second).isEmpty()) {
      against.add(
          "they have no valid rung in common: the first has %s, the second %s"
              .formatted(valid(first), valid(second)));
    }
    return List.copyOf(against);
  }

  private static void loads(Set<String> against, StudyLoad a, StudyLoad b) {
    differ(against, "the total rate", a.totalPerS(), b.totalPerS(), "CPU per echo and times depend on it");
    differ(against, "the rate per connection", a.perConnectionPerS(), b.perConnectionPerS(), "they depend on it");
    differ(against, "the message size", a.messageBytes(), b.messageBytes(), "every figure depends on it");
    differ(against, "the schedule", a.schedule(), b.schedule(), "Poisson has a tail of its own");
    differ(against, "the active share", a.activeShare(), b.activeShare(), "idle connections cost less");
    differ(against, "the messages in flight", a.inFlight(), b.inFlight(), "they wait for each other");
  }

  private static void differ(Set<String> against, String what, @Nullable Object a, @Nullable Object b, String why) {
    if (!Objects.equals(a, b)) {
      against.add("they differ in %s (%s and %s): %s".formatted(what, a, b, why));
    }
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
