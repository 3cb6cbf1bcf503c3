package echoladder.harness.report.words;

import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.results.RunRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report says of a run that was made inside a lab, or on hosts that are one machine, from the mark in its environment. */
public final class LabText {
  private LabText() {}

  /** One paragraph, without markup; null = the run was made neither. */
  public static @Nullable String of(RunRecord run) {
    LabMark lab = LabMark.in(run.environment());
    if (lab == null) {
      return null;
    }
    String where =
        lab.ofHosts()
            ? "on hosts that are one machine (one kernel, %s)".formatted(lab.kernel())
            : "inside a lab (%s, kernel %s, %s of memory)"
                .formatted(lab.kind(), lab.kernel(), Units.bytes((Double) (double) lab.memoryBytes()));
    String rest = words(lab.mayNotClaim());
    String mayNot = LabMark.mayClaim(lab, Quotable.NETWORK_TIMES) ? "other " + rest : rest;
    return "made %s: it may be quoted for %s, not for %s".formatted(where, words(lab.mayClaim()), mayNot);
  }

  /** Why, and where to read on; empty of a run that may be quoted for all. */
  public static String why(RunRecord run) {
    LabMark lab = LabMark.in(run.environment());
    return lab == null
        ? ""
        : lab.ofHosts()
            ? "Server and clients share its processors, and nothing crossed a network. See `docs/METHOD.md`, \"Many hosts\"."
            : "A system call costs many times as much there as on the host. See `docs/METHOD.md`, \"The lab\".";
  }

  /** Whether the times and the CPU of a run may be quoted. */
  public static boolean quotesTimes(RunRecord run) {
    LabMark lab = LabMark.in(run.environment());
    return LabMark.mayClaim(lab, Quotable.TIMES) && LabMark.mayClaim(lab, Quotable.CPU);
  }

  private static String word(String claim) {
    return Arrays.stream(Quotable.values()).filter(of -> of.id().equals(claim)).findFirst().map(Quotable::words)
        .orElseGet(() -> claim.replace('_', ' '));
  }

  /** {@code failure_modes} is for programs, and CPU is no word. */
  private static String words(List<String> claims) {
    if (claims.isEmpty()) {
      return "anything";
    }
    String all =
        claims.stream()
            .map(LabText::word)
            .collect(Collectors.joining(", "));
    int last = all.lastIndexOf(", ");
    return last < 0 ? all : all.substring(0, last) + " and " + all.substring(last + 2);
  }
}
