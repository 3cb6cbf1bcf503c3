package echoladder.harness.cli.run;

import echoladder.harness.claims.Claim;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.common.Refusal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which claims of a study of claims, and how much of each: what run and plan have in common. */
final class ClaimChoice {
  @Option(
      names = "--only",
      paramLabel = "A,B",
      split = ",",
      description = "Of a study of claims only these, by their ids.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--topic",
      paramLabel = "A,B",
      split = ",",
      description = "Of a study of claims only those of these topics, e.g. memory,waiting; repeatable.")
  private List<String> topics = new ArrayList<>();

  @Option(names = "--quick", description = "Of a study of claims smaller sizes, and what takes long left out.")
  private boolean quick;

  /** They mean nothing for a climb. */
  void refuse(String study) {
    if (quick || !only.isEmpty() || !topics.isEmpty()) {
      throw Refusal.badUsage(
          "--only, --topic and --quick are for studies of claims, as 'claims' is; '" + study + "' climbs a ladder");
    }
  }

  /**
   * Those that were chosen.
   *
   * @throws Refusal (bad usage) where one is not known
   */
  List<Claim> of(ClaimsFile file) {
    return file.only(only, topics);
  }

  Claim.Effort effort() {
    return quick ? Claim.Effort.QUICK : Claim.Effort.FULL;
  }

  /** As they were written, for the command that does it again. */
  String asOptions() {
    return (only.isEmpty() ? "" : " --only " + String.join(",", only))
        + (topics.isEmpty() ? "" : " --topic " + String.join(",", topics))
        + (quick ? " --quick" : "");
  }
}
