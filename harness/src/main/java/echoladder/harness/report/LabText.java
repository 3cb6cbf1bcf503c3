package echoladder.harness.report;

import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.results.RunRecord;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report says of a run that was made inside a lab, from the mark in its environment. */
final class LabText {
  private LabText() {}

  /** One paragraph, without markup; null = the run was made in no lab. */
  static @Nullable String of(RunRecord run) {
    LabMark lab = LabMark.in(run.environment());
    return lab == null
        ? null
        : "made inside a lab (%s, kernel %s, %s of memory): it may be quoted for %s, not for %s"
            .formatted(
                lab.kind(), lab.kernel(), Units.bytes((Double) (double) lab.memoryBytes()),
                words(lab.mayClaim()), words(lab.mayNotClaim()));
  }

  /** Whether the times and the CPU of a run may be quoted. */
  static boolean quotesTimes(RunRecord run) {
    LabMark lab = LabMark.in(run.environment());
    return LabMark.mayClaim(lab, Quotable.TIMES) && LabMark.mayClaim(lab, Quotable.CPU);
  }

  /** {@code failure_modes} is for programs, and CPU is no word. */
  private static String words(List<String> claims) {
    if (claims.isEmpty()) {
      return "anything";
    }
    String all =
        claims.stream()
            .map(claim -> claim.equals("cpu") ? "CPU" : claim.replace('_', ' '))
            .collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return last < 0 ? all : all.substring(0, last) + " and " + all.substring(last + 2);
  }
}
