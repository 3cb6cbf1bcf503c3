package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlTreeTest {
  @Test
  void knowsTheLineOfEachKey() {
    YamlTree yaml = YamlTree.parse("a: 1\nb:\n  - x\n  - {c: true}\nd: 0.5\n", "f.yaml");
    assertThat(yaml.root().at("/b/1/c").asBoolean()).isTrue();
    assertThat(yaml.at("/b/1/c")).isEqualTo("f.yaml:4: b[1].c");
    assertThat(yaml.at("/d")).isEqualTo("f.yaml:5: d");
    assertThat(yaml.at("/b/1/missing")).isEqualTo("f.yaml:4: b[1].missing");
    assertThat(yaml.at("")).isEqualTo("f.yaml:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: [1, 2|f.yaml:1:",
        "a: 1\\nb: 'x|f.yaml:2:6: while scanning a quoted scalar: found unexpected end of stream",
        "a: 1\\n\\tb: 2|f.yaml:2:",
        "a: 1\\na: 2|f.yaml:2:",
        "a: 1\\n---\\nb: 2|second document",
        "''|the file is empty",
        "'# only a comment'|the file is empty",
      })
  void saysWhereItIsNoYaml(String text, String said) {
    assertThatThrownBy(() -> YamlTree.parse(text.replace("\\n", "\n").replace("\\t", "\t"), "f.yaml"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(said)
        .hasMessageStartingWith("f.yaml");
  }

  @Test
  void refusesToNestWithoutEnd() {
    assertThatThrownBy(() -> YamlTree.parse("[".repeat(50) + "]".repeat(50), "f.yaml"))
        .hasMessageContaining("nested deeper than");
  }

  @Test
  void refusesWhatIsNoTextFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("f.yaml");
    assertThatThrownBy(() -> YamlTree.read(file, "f.yaml")).hasMessage("f.yaml: there is no such file");
    Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> YamlTree.read(file, "f.yaml")).hasMessage("f.yaml: not UTF-8 text");
    Files.writeString(file, "a: " + "x".repeat(2 << 20));
    assertThatThrownBy(() -> YamlTree.read(file, "f.yaml")).hasMessageContaining("larger than 1 MiB");
  }
}
