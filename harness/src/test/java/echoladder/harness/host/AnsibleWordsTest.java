package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments of ssh as an inventory has them; what is expected is what {@code shlex.split} of Python gives. */
class AnsibleWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-o A=1  -F x|[-o, A=1, -F, x]",
        "-o ProxyCommand=\"ssh -W %h:%p gate\"|[-o, ProxyCommand=ssh -W %h:%p gate]",
        "-F '/a b/c'|[-F, /a b/c]",
        "a\\ b|[a b]",
        "\"a\\b\"|[a\\b]",
        "\"a\\\"b\\\\\"|[a\"b\\]",
        "'a\\'|[a\\]",
        "''|[]"
      })
  void theyAreThoseThatAnsibleHas(String line, String words) {
    assertThat(AnsibleWords.of(line)).hasToString(words);
  }

  @Test
  void anEmptyWordIsOne() {
    assertThat(AnsibleWords.of("a '' b")).containsExactly("a", "", "b");
    assertThatThrownBy(() -> AnsibleWords.of("a \"b")).isInstanceOf(IllegalArgumentException.class);
  }
}
