package echoladder.openloop.result;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose an error is, by its call and errno. */
class OwnErrorsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "connect ECONNREFUSED", "connect ECONNRESET", "connect ETIMEDOUT", "read ECONNRESET", "write EPIPE", "reconnect: connect ETIMEDOUT",
        "closed by the server", "first echo wrong", "HTTP status 404", "not begun, as too many connects had timed out",
        // The host has too few for all its processes.
        "socket ENFILE", "socket ENOBUFS", "epoll_ctl ENOSPC", "fcntl EMFILE"
      })
  void whatTheServerOrTheWholeHostDidIsNotTheClients(String cause) {
    assertThat(OwnErrors.doubts(Map.of(cause, 3L), true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bind EADDRNOTAVAIL", "connect ENETUNREACH", "connect EHOSTUNREACH", "connect ENETDOWN", "write EHOSTUNREACH", "connect EPERM",
        "socket EMFILE", "setsockopt EINVAL", "reconnect: bind EADDRNOTAVAIL"
      })
  void whatCameBeforeTheServerHadAPartIsTheClients(String cause) {
    assertThat(OwnErrors.doubts(Map.of(cause, 3L), false))
        .singleElement()
        .satisfies(
            doubt -> {
              assertThat(doubt.reason()).isEqualTo(ReasonCode.CLIENT_CALL_FAILED);
              assertThat(doubt.detail()).startsWith("3 x " + cause.replace("reconnect: ", "") + " (");
            });
  }

  @Test
  void portsAreCountedOverTheRampAndItsReplacements() {
    assertThat(OwnErrors.doubts(Map.of("connect EADDRNOTAVAIL", 2L, "reconnect: connect EADDRNOTAVAIL", 3L), false))
        .isEqualTo(List.of(new Reason(ReasonCode.EPHEMERAL_PORTS_EXHAUSTED, "5 connects found no port (connect EADDRNOTAVAIL)")));
  }

  /** A storm tries again: what failed there tells only where connections stayed away. */
  @Test
  void aStormsErrorsTellWhereConnectionsAreMissing() {
    Map<String, Long> errors = Map.of("storm: connect EADDRNOTAVAIL", 7L);
    assertThat(OwnErrors.doubts(errors, false)).isEmpty();
    assertThat(OwnErrors.doubts(errors, true)).extracting(Reason::reason).containsExactly(ReasonCode.EPHEMERAL_PORTS_EXHAUSTED);
  }
}
