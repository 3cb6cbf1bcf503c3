package echoladder.harness.run;

import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Asks, before anything is started, whether the settings of a study's servers can be made here. */
final class SettingsCheck {
  private SettingsCheck() {}

  /** The same plan, in which a rung whose settings cannot be made is out of reach. */
  static Plan of(Plan plan, Study study) {
    Map<String, String> complaints = new HashMap<>();
    for (Study.Entry entry : study.servers()) {
      String complaint = AppliedSettings.complaint(entry.settings());
      if (complaint != null) {
        complaints.put(entry.label(), complaint);
      }
    }
    List<Rung> rungs = new ArrayList<>();
    for (Rung rung : plan.rungs()) {
      String complaint = complaints.get(rung.label());
      rungs.add(complaint == null ? rung : rung.withOutOfReach("its settings cannot be made: " + complaint));
    }
    return new Plan(rungs, plan.examinations());
  }
}
