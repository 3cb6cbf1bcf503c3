package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import java.util.ArrayList;
import java.util.List;

/** The files that a run's folder lacks of those that its record names: told once, whatever their number. */
final class Missing {
  private final boolean published;
  private final List<String> logs = new ArrayList<>();
  private final List<String> stacks = new ArrayList<>();
  private boolean samples;

  /** @param published whether the folder is that of a published run, which is meant to have less */
  Missing(boolean published) {
    this.published = published;
  }

  /** The interval log of a rung. */
  void log(String name) {
    logs.add(name);
  }

  /** What a profiler saw. */
  void stacks(String name) {
    stacks.add(name);
  }

  /** samples.csv. */
  void samples() {
    samples = true;
  }

  /** What a rung has in place of its plots, all of whose logs are missing. */
  String ofRung() {
    return published
        ? "A published run is without this rung's interval logs: there is nothing to draw its times of."
        : "The interval logs of this rung are not in the folder: there is nothing to draw its times of.";
  }

  /** What is missing, what this report lacks for it, and where to read on; none where nothing is missing. */
  List<String> notes() {
    List<String> what = new ArrayList<>();
    List<String> lacks = new ArrayList<>();
    if (!logs.isEmpty()) {
      what.add(counted("interval logs", logs));
      lacks.add("percentile spectra, and no times over the steady state");
    }
    if (samples) {
      what.add("samples.csv");
      lacks.add("rates, collections and hiccups of the servers over the steady state");
    }
    if (!stacks.isEmpty()) {
      what.add(counted("stacks of profiles", stacks));
      lacks.add("flame graphs drawn anew");
    }
    return what.isEmpty()
        ? List.of()
        : List.of(
            "%s: %s. So this report has no %s. Its figures are those of run.json.%s"
                .formatted(
                    published ? "Not kept with a published run" : "Not in this folder",
                    String.join("; ", what),
                    String.join("; no ", lacks),
                    published ? " docs/decisions/published-runs.md says where the whole run is." : ""));
  }

  private static String counted(String what, List<String> names) {
    return names.size() == 1 ? names.getFirst() : "%s %s, %s the first".formatted(Units.count(names.size()), what, names.getFirst());
  }
}
