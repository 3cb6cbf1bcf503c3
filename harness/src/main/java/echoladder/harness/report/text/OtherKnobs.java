package echoladder.harness.report.text;

import echoladder.harness.results.RunRecord;
import echoladder.harness.study.KnobLevel;

/** What the knobs of a study have in both entries of a pair that is of another knob. */
public enum OtherKnobs {
  DEFAULT("No other knob is set in either entry of a pair."),
  /** The profile of the knobs asked about, with and without each. */
  TABLE("All other knobs that this run sets have their second value in both entries of a pair."),
  /** While connections come. */
  PROFILE("All other knobs of connecting have their profile's value in both entries of a pair, but those of the whole host.");

  private final String sentence;

  OtherKnobs(String sentence) {
    this.sentence = sentence;
  }

  /** Those of a run of a study of knobs. */
  public static OtherKnobs of(RunRecord run) {
    boolean less = run.study().servers().stream().anyMatch(entry -> entry.knob() != null && entry.knob().level().equals(KnobLevel.LESS));
    if (less) {
      return TABLE;
    }
    return run.study().phases().acceptStallNs() == 0 ? DEFAULT : PROFILE;
  }

  /** In words. */
  public String sentence() {
    return sentence;
  }
}
