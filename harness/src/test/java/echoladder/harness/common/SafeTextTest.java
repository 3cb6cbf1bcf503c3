package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SafeTextTest {
  private static final String SIGN = "\ufffd";

  @Test
  void aTextHasNothingLeftThatIsObeyed() {
    assertThat(SafeText.text("a\033[2J\r\n\tb\u009b\u202ec\177 µ–日")).isEqualTo("a" + SIGN + "[2J" + SIGN + "\n\tb" + SIGN + SIGN + "c" + SIGN + " µ–日");
  }
}
