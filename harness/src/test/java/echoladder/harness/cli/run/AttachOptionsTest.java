package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.PushPaths;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.server.Attachment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run's folder may be somebody else's: what it was attached to, and what it had allowed, is not this user's word. */
class AttachOptionsTest {
  private static final PushPaths PUSH = new PushPaths("/events", "ws:/send");

  private static AttachedRecord recorded(String target, String page) {
    return new AttachedRecord(target, page, false, List.of("192.0.2.1", "192.0.2.2"), PUSH);
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1:9000, http://10.0.0.2:9100/metrics, 192.0.2.1, the run's target",
    "10.0.0.2:9000, http://192.0.2.2:9100/metrics, 192.0.2.2, the run's metrics page",
  })
  void aResumedRunsHostsAreAllowedByThisCommandLineAlone(String target, String page, String host, String what) {
    AttachedRecord record = recorded(target, page);
    assertThatThrownBy(() -> AttachOptions.again(record, List.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(what)
        .hasMessageContaining("its run.json alone does not allow you to ")
        .hasMessageContaining("--allow-target " + host)
        .extracting(seen -> ((Refusal) seen).status())
        .isEqualTo(Refusal.BAD_USAGE);
    assertThat(AttachOptions.again(record, List.of(host)).target()).hasToString(target);
  }

  @Test
  void loopbackAndPrivateAddressesNeedNoWord() {
    Attachment again = AttachOptions.again(recorded("127.0.0.1:9000", "http://192.168.0.2:9100/metrics"), List.of());
    assertThat(again.metrics()).hasToString("http://192.168.0.2:9100/metrics");
    assertThat(again.push()).isEqualTo(PUSH);
  }
}
