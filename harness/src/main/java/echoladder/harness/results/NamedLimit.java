package echoladder.harness.results;

import echoladder.harness.limits.KnownLimit;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a study expects to end a server's climb, beside what was named.
 *
 * @param label of the server
 * @param expected by the study
 * @param rung the last one that was measured; null = none was
 * @param byVerdict what server, client and kernel showed first; null = no limit
 * @param byDoctor what the doctor named first of the limits as they bound the server; null = none
 */
public record NamedLimit(
    String label,
    KnownLimit expected,
    @Nullable RungRecord rung,
    @Nullable KnownLimit byVerdict,
    @Nullable String byDoctor) {

  /** The named limit of every server for which the study expects one, in the study's order. */
  public static List<NamedLimit> of(RunRecord run) {
    List<NamedLimit> named = new ArrayList<>();
    for (Study.Entry entry : run.study().servers()) {
      if (entry.expectLimit() != null) {
        named.add(of(run, entry.label(), entry.expectLimit()));
      }
    }
    return named;
  }

  private static NamedLimit of(RunRecord run, String label, KnownLimit expected) {
    RungRecord last =
        run.rungs().stream()
            .filter(r -> r.server().equals(label) && r.status() == RungRecord.Status.MEASURED)
            .reduce((_, later) -> later)
            .orElse(null);
    LimitsRecord limits = last == null ? null : last.limits();
    return new NamedLimit(
        label,
        expected,
        last,
        limits == null || limits.met().isEmpty() ? null : limits.met().getFirst().limit(),
        limits == null || limits.doctor().isEmpty() ? null : limits.doctor().getFirst().limit());
  }

  /** Whether both named the one that was expected, or the verdict alone one that the doctor cannot see. */
  public boolean right() {
    return expected == byVerdict && (!expected.ofTheDoctor() || expected.id().equals(byDoctor));
  }
}
