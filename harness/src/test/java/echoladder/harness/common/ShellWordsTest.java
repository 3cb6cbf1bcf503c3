package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
  @Test
  void areWhatAShellMakesOfARecordedCommand() {
    assertThat(ShellWords.of("./ladder run tuning --servers netty --set 'tuning.knobs=[a, b]' --set load.idle=poll"))
        .containsExactly("./ladder", "run", "tuning", "--servers", "netty", "--set", "tuning.knobs=[a, b]", "--set", "load.idle=poll");
    assertThat(ShellWords.of("  a  '' ")).containsExactly("a", "");
    List<String> hard = List.of("it's", "a b", "'", "\\", "x=[1, 2]", "plain", "$HOME `ls`");
    assertThat(ShellWords.of(hard.stream().map(ShellWord::of).collect(Collectors.joining(" ")))).isEqualTo(hard);
    assertThatThrownBy(() -> ShellWords.of("a 'b")).isInstanceOf(IllegalArgumentException.class);
  }
}
