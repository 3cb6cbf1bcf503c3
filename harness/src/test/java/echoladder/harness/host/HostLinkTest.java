package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.openloop.HostLostException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The near end of a line, with shells for control processes. */
class HostLinkTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private static HostLink link(String script) throws IOException {
    return HostLink.start("c1", List.of("sh", "-c", script));
  }

  private static long ask(HostLink link) throws IOException {
    return link.ask(HostOp.SERVER_EMPTY, null, HostReplies.Clock.class, BOUND).ns();
  }

  /** Answers every question with the same body. */
  private static final String ECHO = "while read -r line; do id=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/'); echo \"{\\\"id\\\":$id,\\\"body\\\":{\\\"ns\\\":42}}\"; done";

  @Test
  void anAnswerComesBackToWhoAsked() throws IOException {
    try (HostLink link = link(ECHO)) {
      assertThat(ask(link)).isEqualTo(42);
      link.compareClocks();
      // A clock that always shows 42 ns.
      assertThat(link.clock().aheadNs()).isNegative();
      assertThat(link.lost()).isNull();
    }
  }

  @Test
  void anErrorIsOfTheQuestionAlone() throws IOException {
    String script = ECHO.replace("\\\"body\\\":{\\\"ns\\\":42}", "\\\"error\\\":\\\"there is none\\\"");
    try (HostLink link = link(script)) {
      assertThatThrownBy(() -> ask(link)).isInstanceOf(IOException.class).isNotInstanceOf(HostLostException.class).hasMessage("host c1: there is none");
      assertThat(link.lost()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read -r x; echo Welcome to c1; sleep 60|host c1 said something else than an answer, as a login shell does that prints on stdout: Welcome to c1",
        "read -r x; echo; sleep 60|host c1 said something else than an answer",
        "read -r x; echo no key >&2; exit 255|host c1 is gone: its connection ended with exit status 255; it said: no key",
        "read -r x; kill -KILL $$|host c1 is gone: its connection was killed by signal 9",
        "exit 0|host c1 is gone: its connection ended with exit status 0",
        "read -r x; exec 1>&-; sleep 60|host c1 is gone: its connection hands on no answers any more, although it still runs"
      })
  void whatEndsALineIsSaidWithTheHostsName(String script, String said) throws Exception {
    try (HostLink link = link(script)) {
      CountDownLatch lost = new CountDownLatch(1);
      link.onLost(lost::countDown);
      assertThatThrownBy(() -> ask(link)).isInstanceOf(HostLostException.class).hasMessageStartingWith(said);
      assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(link.lost()).startsWith(said);
      // From now on at once.
      assertThatThrownBy(() -> ask(link)).isInstanceOf(HostLostException.class).hasMessageStartingWith(said);
    }
  }

  @Test
  void oneThatDoesNotAnswerIsLost() throws IOException {
    try (HostLink link = link("sleep 600")) {
      assertThatThrownBy(() -> ask(link))
          .isInstanceOf(HostLostException.class)
          .hasMessage("host c1 did not answer for 10 s: its control process stands still, or its network is cut");
    }
  }
}
