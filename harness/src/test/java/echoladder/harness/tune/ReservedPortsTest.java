package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list of reserved ports of many pages, as installations of some databases have, in a network namespace of its own. */
final class ReservedPortsTest {
  @TempDir private Path dir;

  @Needs({Need.UNSHARE, Need.NAMESPACES})
  @Test
  void aListOfManyPagesIsReadWrittenAndPutBackWhole() throws Exception {
    List<String> argv = new ArrayList<>(List.of("unshare", "--net"));
    argv.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), ReservedPortsProcess.class.getName(),
            dir.toString()));
    Path err = dir.resolve("err");
    Process process = new ProcessBuilder(argv).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    assertThat(out)
        .isEqualTo(
            """
            list of 21179 characters: true
            usable: 1764 of 28232
            doctor for 2,000 by one tuple: SHORT, 882
            written for port 9000: the ports of before
            written for port 32783: the ports of before and 32783
            applied: the ports of before and 9000
            restored: [net.ipv4.ip_local_reserved_ports = 32768-32782,32784-32798,32800-32814,32816-32830,32832-32846,32848-32862,\
            32864-32878,32880-32894,3289... (21,179 characters)], failed []
            as before: true
            """);
  }
}
