package echoladder.linux.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a terminal would obey does not reach it, in whatever pieces it comes. */
class TerminalStreamTest {
  private static final String SIGN = "\ufffd";

  private static String printed(String text, int pieces, Charset charset) {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    byte[] bytes = text.getBytes(charset);
    PrintStream stream = TerminalStream.before(new PrintStream(terminal, true, charset));
    for (int at = 0; at < bytes.length; at += pieces) {
      stream.write(bytes, at, Math.min(pieces, bytes.length - at));
    }
    stream.close();
    return terminal.toString(charset);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void showsASignForWhatIsObeyed(int pieces) {
    String text =
        "title \033]0;owned\007 clear \033[2J up \033[A colour \033[35m back\b line\rover del\177 c1 \u009b31m turned \u202e\u2066 end\033";
    assertThat(printed(text, pieces, StandardCharsets.UTF_8))
        .isEqualTo(
            "title " + SIGN + "]0;owned" + SIGN + " clear " + SIGN + "[2J up " + SIGN + "[A colour " + SIGN + "[35m back" + SIGN
                + " line" + SIGN + "over del" + SIGN + " c1 " + SIGN + "31m turned " + SIGN + SIGN + " end" + SIGN);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void letsPassWhatThisProgramWrites(int pieces) {
    String text = "\r\033[Kladder: 1/2\n\033[31mINVALID\033[0m\t76.4 µs × 2 – ≥ “†” 日本 \ud83d\ude00 \033[32mvalid\033[0m \033[33msaturated\033[0m\n";
    assertThat(printed(text, pieces, StandardCharsets.UTF_8)).isEqualTo(text);
  }

  @Test
  void isForOtherCharacterSetsToo() {
    assertThat(printed("a\033b\u009bc é", 1, StandardCharsets.ISO_8859_1)).isEqualTo("a?b?c é");
  }

  /** A log shows what others wrote, and not even what this program would be let through with. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void nothingOfOthersIsObeyed(int pieces) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    byte[] bytes = "\r\033[Kover \033[31mred\033[0m\ttab \u009b2J µ 日\nend\033".getBytes(StandardCharsets.UTF_8);
    try (OutputStream to = TerminalStream.ofOthers(log)) {
      for (int at = 0; at < bytes.length; at += pieces) {
        to.write(bytes, at, Math.min(pieces, bytes.length - at));
      }
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            SIGN + SIGN + "[Kover " + SIGN + "[31mred" + SIGN + "[0m\ttab " + SIGN + "2J µ 日\nend" + SIGN);
  }

  /** Else a program that writes without end would not notice that nobody reads any more. */
  @Test
  void saysThatTheReaderIsGone() {
    PrintStream gone =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
              }
            });
    PrintStream stream = TerminalStream.before(gone);
    assertThat(stream.checkError()).isFalse();
    stream.println("a line");
    assertThat(stream.checkError()).isTrue();
  }
}
