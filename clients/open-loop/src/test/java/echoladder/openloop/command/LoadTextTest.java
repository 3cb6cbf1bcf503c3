package echoladder.openloop.command;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Stamps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a load says what it has no figure of, and why. */
class LoadTextTest {
  @Test
  void withoutStampsTheTextSaysWhyThereIsNoServerTime() {
    LoadResult result = LoadResult.nothing("open-loop", 1, 1, List.of(), new Reason(ReasonCode.CLIENT_DIED, "the client died"));
    assertThat(result.times().stamps()).isEqualTo(Stamps.NONE);
    assertThat(LoadText.result(result)).contains("no server time: the kernel was not asked for stamps (--stamps off)");
  }
}
