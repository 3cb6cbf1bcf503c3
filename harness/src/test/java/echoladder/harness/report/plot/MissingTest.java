package echoladder.harness.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** However many files a folder lacks, it is one sentence, with what the report lacks for it. */
class MissingTest {
  @Test
  void nothingMissingIsNothingSaid() {
    assertThat(new Missing(true).notes()).isEmpty();
  }

  @Test
  void manyFilesAreOneSentence() {
    Missing missing = new Missing(true);
    missing.log("0001000-floor.hlog");
    missing.log("0001000-netty.hlog");
    missing.samples();
    missing.stacks("0001000-netty.stacks");
    assertThat(missing.notes())
        .containsExactly(
            "Not kept with a published run: 2 interval logs, 0001000-floor.hlog the first; samples.csv; 0001000-netty.stacks. So this report"
                + " has no percentile spectra, and no times over the steady state; no rates, collections and hiccups of the servers over the"
                + " steady state; no flame graphs drawn anew. Its figures are those of run.json. docs/decisions/published-runs.md says where"
                + " the whole run is.");
    assertThat(missing.ofRung()).startsWith("A published run is without");
  }

  @Test
  void ofARunThatIsNotPublishedNobodyKnowsWhereTheyAre() {
    Missing missing = new Missing(false);
    missing.log("0001000-floor.hlog");
    assertThat(missing.notes()).singleElement().asString().startsWith("Not in this folder: 0001000-floor.hlog. So this report").endsWith("run.json.");
    assertThat(missing.ofRung()).contains("are not in the folder");
  }
}
