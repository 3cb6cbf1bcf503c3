package echoladder.harness.minimal;

import echoladder.harness.doctor.HostFacts;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.settings.Throwaway;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.tune.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether lifts can be made here, asked before anything is changed. */
public final class Settable {
  private Settable() {}

  /**
   * What cannot be set here, a sentence each with the reason; empty where all can.
   *
   * @param onThisHost whether settings may be made that others on the host have too
   */
  public static List<String> complaints(List<Lift> lifts, HostFacts here, boolean onThisHost) {
    List<String> keys = lifts.stream().filter(lift -> lift.kind() == Lift.Kind.SYSCTL).map(Lift::name).toList();
    List<String> others = onThisHost ? List.of() : Throwaway.others(keys);
    List<String> complaints = new ArrayList<>();
    for (Lift lift : lifts) {
      switch (lift.kind()) {
        case SYSCTL -> {
          String not =
              AppliedSettings.complaint(
                  new EntrySettings(Map.of(lift.name(), lift.to()), EntrySettings.NONE.server(), EntrySettings.NONE.client()));
          if (not != null) {
            complaints.add(not);
          } else if (others.contains(lift.name())) {
            complaints.add(
                lift.name()
                    + (Scope.of(lift.name()) == Scope.HOST
                        ? " has one value for the whole host"
                        : " is one of a network namespace that is not this command's alone"));
          }
        }
        case SERVER_NOFILE, CLIENT_NOFILE -> {
          long most = Long.max(Long.parseLong(lift.to()), Long.parseLong(lift.from()));
          if (most > here.nofileHard() && !here.raisesHardLimits()) {
            complaints.add(
                "%s %,d: the hard limit of this shell is %,d, and cannot be raised without CAP_SYS_RESOURCE"
                    .formatted(lift.name(), most, here.nofileHard()));
          }
        }
        case BACKLOG -> {
          // Every server takes it.
        }
      }
    }
    return complaints;
  }
}
