package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlSettingTest {
  private static final YamlTree FILE =
      YamlTree.parse("a:\n  b: 1\n  list: [x, {y: 2}]\nc: text\n", "f.yaml");

  private static YamlTree with(String setting) {
    return FILE.with(YamlSetting.parse(setting));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.b=3s|/a/b|\"3s\"",
        "a.b=5|/a/b|5",
        "a.b = 0.05|/a/b|0.05",
        "a.b=true|/a/b|true",
        "a.b=[1, 2]|/a/b|[1,2]",
        "a.b={k: v=w}|/a/b|{\"k\":\"v=w\"}",
        "a.list[0]=z|/a/list/0|\"z\"",
        "a.list[1].y=7|/a/list/1/y|7",
        "a.list.1.y=7|/a/list/1/y|7",
        "c=other|/c|\"other\"",
        "new.key=1|/new/key|1",
      })
  void setsTheOneKey(String setting, String pointer, String value) {
    YamlTree changed = with(setting);
    assertThat(changed.root().at(pointer)).hasToString(value);
    assertThat(changed.at(pointer)).startsWith("--set " + setting + ": ");
    assertThat(changed.at("/a")).isEqualTo("f.yaml:1: a");
  }

  @Test
  void leavesTheFileAsItIsAndTheLastSettingCounts() {
    YamlTree changed = with("a.b=2").with(YamlSetting.parse("a.b=3"));
    assertThat(changed.root().at("/a/b").asInt()).isEqualTo(3);
    assertThat(changed.at("/a/b")).isEqualTo("--set a.b=3: a.b");
    assertThat(FILE.root().at("/a/b").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.b|not KEY=VALUE",
        "=1|not KEY=VALUE",
        "a..b=1|not KEY=VALUE",
        "a.b=|the value is missing",
        "a.b.c=1|'a.b' is 1, which has no 'c'",
        "a.list[2]=1|'a.list' is a list of 2, counted from 0",
        "a.list.99999999999=1|'a.list' is a list of 2, counted from 0",
        "a.list.-1=1|'a.list' is a list of 2, counted from 0",
        "a.list.2147483648=1|'a.list' is a list of 2, counted from 0",
        "a.list[99999999999]=1|not KEY=VALUE",
        "a.list[-1]=1|not KEY=VALUE",
        "a.list.x=1|'a.list' is a list of 2",
        "a.b=[1|--set a.b=[1:1:",
      })
  void refusesWhatLeadsNowhere(String setting, String message) {
    assertThatThrownBy(() -> with(setting)).isInstanceOf(Refusal.class).hasMessageContaining("--set " + setting)
        .hasMessageContaining(message);
  }

  /** A key as long as a file would overflow the stack of whoever walks down it. */
  @Test
  void refusesAKeyThatIsDeeperThanAnyFile() {
    assertThatThrownBy(() -> YamlSetting.parse("a" + ".a".repeat(20) + "=1"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--set a.a.a")
        .hasMessageContaining("the key has more than 20 parts");
    assertThatThrownBy(() -> YamlSetting.parse("a" + ".a".repeat(50_000) + "=1"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("not KEY=VALUE");
  }
}
