package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonCodeTest {
  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void isFoundByItsId(ReasonCode reason) {
    assertThat(reason.id()).matches("[a-z]+(-[a-z]+)*");
    assertThat(ReasonCode.ofId(reason.id())).isEqualTo(reason);
  }

  /** Else a server would be blamed for what may be the client's fault, or be excused by its own. */
  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void onlyTheServersFaultEndsItsClimbAndOnlyAnothersExcusesIt(ReasonCode reason) {
    switch (reason.onClimb()) {
      case SERVER_FAILED, NOT_HELD, TOO_SLOW -> assertThat(reason.blame()).isEqualTo(Blame.SERVER);
      case EXCUSES -> assertThat(EnumSet.of(Blame.SERVER, Blame.HOST)).doesNotContain(reason.blame());
      // A server that fills its processors is to blame for that; whether it held is told by what was answered and when.
      case NOTHING -> assertThat(reason.blame() == Blame.SERVER).isEqualTo(reason == ReasonCode.SERVER_SATURATED);
    }
  }

  /** Else a rate would be said to be held that was not, or a client be excused that was slow by itself. */
  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void whatOnlyMakesItHarderTouchesTimesAloneAndIsNoFaultOfTheServers(ReasonCode reason) {
    if (reason.onlyHarder()) {
      assertThat(reason.ofTimeAlone() && reason.spoils()).isTrue();
    }
    if (reason.ofStarving()) {
      assertThat(reason.blame()).isEqualTo(Blame.CLIENT);
      assertThat(reason.byLateness() && reason.onlyHarder()).isTrue();
    }
  }

  /** What lateness alone explains is no loss: connections that are gone and wrong bytes never are mere lateness. */
  @ParameterizedTest
  @EnumSource(value = ReasonCode.class, names = {"CONNECTIONS_MISSING", "CONNECTIONS_LOST", "ECHO_MISMATCH", "ERROR_RESPONSES", "SERVER_SILENT", "ANSWER_WITHOUT_END"})
  void noLatenessLosesConnectionsOrChangesBytes(ReasonCode reason) {
    assertThat(reason.byLateness()).isFalse();
    assertThat(reason.ofTimeAlone()).isFalse();
  }
}
