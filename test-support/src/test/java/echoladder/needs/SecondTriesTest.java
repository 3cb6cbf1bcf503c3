package echoladder.needs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over reports as maven-failsafe-plugin 3.6.1 writes them. */
final class SecondTriesTest {
  @TempDir private Path root = Path.of("");
  private Path reports = Path.of("");

  @BeforeEach
  void folder() throws IOException {
    reports = Files.createDirectories(root.resolve("servers/contract-test/target/failsafe-reports"));
  }

  private String printed() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SecondTries.of(root).print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatPassedAtTheSecondTryIsNamedWithItsFailure() throws IOException {
    Files.writeString(
        reports.resolve("TEST-a.B.xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a.B" tests="3">
          <testcase name="fine" classname="a.B" time="0.1"/>
          <testcase name="one(Variant)[2]" classname="a.B" time="0.1">
            <flakyError message="closed with 1001&#10;  instead of a message" type="java.io.IOException"><stackTrace>at x</stackTrace></flakyError>
          </testcase>
          <testcase name="two" classname="a.B" time="0.1">
            <flakyFailure type="java.lang.AssertionError"><stackTrace>at x</stackTrace></flakyFailure>
          </testcase>
        </testsuite>
        """);
    assertThat(printed())
        .isEqualTo(
            """
            passed only when tried again: 2; each is a defect, of the test or of what it tests
            - a.B.one(Variant)[2]: closed with 1001 instead of a message
            - a.B.two: java.lang.AssertionError
            """);
  }

  @Test
  void nothingIsSaidWhereAllPassedAtOnce() throws IOException {
    Files.writeString(reports.resolve("TEST-a.B.xml"), "<testsuite><testcase name='fine' classname='a.B'/></testsuite>");
    assertThat(printed()).isEmpty();
  }

  @Test
  void aBrokenReportIsNamed() throws IOException {
    Files.writeString(reports.resolve("TEST-a.B.xml"), "<testsuite><testcase");
    assertThatThrownBy(this::printed).isInstanceOf(IOException.class).hasMessageContaining("TEST-a.B.xml is no report of a test");
  }
}
