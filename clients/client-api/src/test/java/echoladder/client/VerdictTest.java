package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTest {
  private static Verdict of(ReasonCode... reasons) {
    return Verdict.of(Arrays.stream(reasons).map(reason -> new Reason(reason, "seen")).toList());
  }

  @Test
  void withoutDoubtItIsValid() {
    assertThat(Verdict.of(List.of())).isEqualTo(Verdict.VALID);
  }

  /** What the server or the full host did not carry is a result; what the client, others or a broken server did is none. */
  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void eachReasonAloneSaysWhichItIs(ReasonCode reason) {
    Verdict expected =
        switch (reason) {
          case CONNECTIONS_MISSING, CONNECTIONS_LOST, CONNECTIONS_SILENT, UNANSWERED, OFFERED_RATE_NOT_REACHED, RESPONSE_TIME_BEYOND_BOUND,
              ERROR_RESPONSES, DELIVERIES_MISSING, SERVER_DIED, HOST_SATURATED, SERVER_SATURATED ->
              Verdict.SATURATED;
          case ECHO_MISMATCH, DELIVERIES_MIXED, AUDIENCES_DIFFER, SERVER_NOT_READY, SERVER_SILENT, ANSWER_WITHOUT_END ->
              Verdict.INVALID; // no load explains these
          case CLIENT_HICCUP, HOST_TOO_NOISY, BORDER_LATE, WARM_UP_INCOMPLETE, DRIFT -> Verdict.VALID; // noise marks figures
          case LATE_SENDS, COORDINATED_OMISSION, TIMES_CONTRADICTED, CALIBRATION_SWALLOWED, EPHEMERAL_PORTS_EXHAUSTED,
              CLIENT_CALL_FAILED, NOTHING_INTENDED, TOO_LITTLE_INTENDED, CLIENT_DIED, METRICS_UNREACHABLE, SERVER_MISMATCH,
              CLIENT_SATURATED, HOST_LOST, CLOCKS_APART, HOSTS_DIFFER, SETTING_CHANGED, NETWORK_NOT_AS_ASKED, OPTION_NOT_HELD,
              INTERRUPTED ->
              Verdict.INVALID;
        };
    assertThat(of(reason)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void besideALoadThatWasNotCarriedOnlyAFaultOfTheStudyDoesNotSpoil(ReasonCode other) {
    boolean spoils = (!other.noise() && (other.blame() == Blame.CLIENT || other.blame() == Blame.OTHERS))
        || other == ReasonCode.ECHO_MISMATCH || other == ReasonCode.DELIVERIES_MIXED || other == ReasonCode.AUDIENCES_DIFFER || other == ReasonCode.SERVER_NOT_READY
        || other == ReasonCode.SERVER_SILENT || other == ReasonCode.ANSWER_WITHOUT_END
        || other == ReasonCode.NOTHING_INTENDED // nothing was asked of anybody
        || other == ReasonCode.NETWORK_NOT_AS_ASKED // what was measured is another network than was asked for
        || other == ReasonCode.METRICS_UNREACHABLE; // the server, its host or the link: nobody can tell
    assertThat(of(ReasonCode.UNANSWERED, other)).isEqualTo(spoils ? Verdict.INVALID : Verdict.SATURATED);
    assertThat(of(other, ReasonCode.HOST_SATURATED)).isEqualTo(spoils ? Verdict.INVALID : Verdict.SATURATED);
  }

  @Test
  void whatMayNotBeQuotedSaysSo() {
    assertThat(Arrays.stream(Verdict.values()).map(Verdict::note)).containsExactly("", " (saturated)", " (invalid)");
  }
}
