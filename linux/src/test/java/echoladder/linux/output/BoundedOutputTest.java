package echoladder.linux.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of what a process prints. */
class BoundedOutputTest {
  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String kept(String text, int head, int tail) throws IOException {
    ByteArrayOutputStream place = new ByteArrayOutputStream();
    try (HeadAndTail keeper = new HeadAndTail(place, head, tail)) {
      keeper.drain(stream(text));
    }
    return place.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc|abc",
        "abcdef|abcdef",
        "abcdefgh|abcdefgh",
        "abcdefghij|abcdefghij",
      })
  void whatFitsIsWhole(String text, String whole) throws IOException {
    assertThat(kept(text, 6, 4)).isEqualTo(whole);
  }

  @Test
  void whatDoesNotFitLacksItsMiddleAndSaysSo() throws IOException {
    assertThat(kept("abcdefghijk", 6, 4))
        .isEqualTo(
            "abcdef\n[1 bytes are left out here: of what a process prints, the first 6 bytes and the last 4 are kept]\nhijk");
    String much = "x".repeat(3_000_000) + "end";
    assertThat(kept(much, 1_000, 10)).hasSizeBetween(1_010, 1_200).startsWith("xxx").endsWith("xxxxxxxend").contains("[2,998,993 bytes");
  }

  @Test
  void theHeadIsInItsPlaceAtOnceAndTheTailCanBeAskedFor() {
    ByteArrayOutputStream place = new ByteArrayOutputStream();
    try (HeadAndTail keeper = new HeadAndTail(place, 4, 3)) {
      keeper.write("abcdefg".getBytes(StandardCharsets.US_ASCII), 7);
      assertThat(place.toString(StandardCharsets.US_ASCII)).isEqualTo("abcd");
      assertThat(keeper.tail()).isEqualTo("efg");
      keeper.write("h".getBytes(StandardCharsets.US_ASCII), 1);
      assertThat(keeper.tail()).isEqualTo("fgh");
    }
  }

  @Test
  void aPlaceThatIsFullHoldsNobodyUp() throws IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    HeadAndTail keeper = new HeadAndTail(full, 100, 3);
    keeper.drain(stream("abcdef"));
    keeper.close();
    assertThat(keeper.failure()).hasMessage("No space left on device");
    assertThat(keeper.tail()).isEqualTo("def");
  }

  private static List<String> lines(String text, int most) throws IOException {
    BoundedLines lines = new BoundedLines(stream(text), most);
    List<String> all = new ArrayList<>();
    BoundedLines.Line line;
    while ((line = lines.next()) != null) {
      all.add(line.text() + (line.whole() ? "" : "..."));
      if (!line.whole()) {
        lines.rest();
      }
    }
    return all;
  }

  @Test
  void linesAreReadAndLongOnesCut() throws IOException {
    assertThat(lines("a\n\nbc\r\nlast", 10)).containsExactly("a", "", "bc", "last");
    assertThat(lines("", 10)).isEmpty();
    assertThat(lines("0123456789012\nnext\n", 10)).containsExactly("0123456789...", "next");
    assertThat(lines("y".repeat(100_000) + "\nz", 20_000)).containsExactly("y".repeat(20_000) + "...", "z");
  }

  @Test
  void aLineWithoutEndIsToldAtItsBound() throws IOException {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };
    BoundedLines.Line line = new BoundedLines(endless, 65_536).next();
    assertThat(line).isEqualTo(new BoundedLines.Line("x".repeat(65_536), false));
  }
}
