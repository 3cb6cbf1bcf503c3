package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.linux.ProcSys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortListTest {
  @ParameterizedTest
  @CsvSource({"'','',0", "'1,3,2','1-3',3", "'9000-9010,8080','8080,9000-9010',12", "'0,65535','0,65535',2"})
  void isPrintedAsTheKernelPrintsIt(String text, String printed, int ports) {
    assertThat(PortList.of(text)).hasToString(printed);
    assertThat(PortList.of(text).within(0, 65_535)).isEqualTo(ports);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,", ",", "1-", "65536", "x", "1 2", "1--2", "99999", "7-5"})
  void whatTheKernelNeverPrintsIsNoList(String text) {
    assertThat(PortList.isOne(text)).isFalse();
    assertThatThrownBy(() -> PortList.of(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no list of ports");
  }

  @Test
  void countsWhatIsInside() {
    assertThat(PortList.of("1,1000-1009,1050,2000-2001").within(1_000, 1_099)).isEqualTo(11);
    assertThat(PortList.of("").within(1_000, 1_099)).isZero();
  }

  /** Whatever the size of the buffer that it is read with. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4_095, 4_096, 4_097, 16_384, 200_000})
  void aSettingOfAnyLengthIsRead(int length, @TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("setting"), "7".repeat(length));
    assertThat(ProcSys.read(file)).hasSize(length);
    ProcSys.write(file, "8".repeat(length));
    assertThat(Files.readString(file)).isEqualTo("8".repeat(length) + "\n");
  }
}
