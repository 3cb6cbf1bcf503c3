package echoladder.client.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsPageTest {
  private static MetricsPage page(String text) throws GarbledPageException {
    return MetricsPage.parse("GET http://h/metrics", text);
  }

  @Test
  void aSeriesIsSummedOverItsLabels() throws Exception {
    MetricsPage page =
        page(
            """
            # HELP echo_accept_errors_total Failed accepts
            echo_accept_errors_total{reason="emfile"} 3
            echo_accept_errors_total{reason="other, with } brace"} 4.0
            echo_accept_errors_total_created 1.7e9

            echo_connections_open 1e4 1700000000
            process_cpu_seconds_total 1.5 # {trace_id="a"} 1 1.7e9
            """);
    assertThat(page.sum("echo_accept_errors_total")).hasValue(7);
    assertThat(page.byLabel("echo_accept_errors_total", "reason")).isEqualTo(Map.of("emfile", 3L, "other, with } brace", 4L));
    assertThat(page.count("echo_connections_open")).hasValue(10_000);
    assertThat(page.nanoseconds("process_cpu_seconds_total")).hasValue(1_500_000_000);
    assertThat(page.sum("echo_connections")).isEmpty();
    assertThat(page.count("echo_connections")).isEmpty();
  }

  @Test
  void labelsAreReadAsTheFormatHasThem() throws Exception {
    MetricsPage page = page("info { a=\"q\\\"uo\\\\te\\n\" , b = \"\" , } 1\nplain{} 2\n");
    assertThat(page.samples().getFirst().labels()).isEqualTo(Map.of("a", "q\"uo\\te\n", "b", ""));
    assertThat(page.label("info", "b")).isEmpty();
    assertThat(page.label("info", "c")).isNull();
    assertThat(page.sum("plain")).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo_connections_open x",
        "echo_connections_open 0x10",
        "echo_connections_open 1d",
        "echo_connections_open Infinity",
        "echo_connections_open",
        "echo_connections_open 1 2 3",
        "echo_connections_open{ 1",
        "echo_connections_open{a=b} 1",
        "echo_connections_open{a=\"b} 1",
        "echo_connections_open{a=\"b\" c=\"d\"} 1",
        "echo_connections_open{a=\"b\",a=\"c\"} 1",
        "<html>",
        "{\"json\": true}",
        "7 8",
      })
  void aLineThatIsNoneIsRefusedWithIt(String line) {
    assertThatThrownBy(() -> page("# HELP\nup 1\n" + line + "\n"))
        .isInstanceOf(GarbledPageException.class)
        .hasMessage("GET http://h/metrics answered a page whose line 3 is no Prometheus text: '" + line + "'");
  }

  @Test
  void aLineIsShownShortAndWithoutControlCharacters() {
    assertThatThrownBy(() -> page("\033[31m" + "y".repeat(10_000)))
        .hasMessageEndingWith("'?[31m" + "y".repeat(115) + "...'");
  }

  @ParameterizedTest
  @CsvSource({
    "NaN, has a value that is no number",
    "+Inf, has a value that is no number",
    "-Inf, has a value that is no number",
    "1e999, has a value that is no number",
    "-1, has a negative value",
    "1e17, more than can be meant",
  })
  void aValueThatIsNoFigureIsRefusedWhereItIsAskedForAlone(String value, String complaint) throws Exception {
    MetricsPage page = page("up 1\nbad{a=\"b\"} " + value + "\n");
    String whole = "bad{a=\"b\"} " + value;
    for (var ask : List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
        () -> page.sum("bad"), () -> page.count("bad"), () -> page.nanoseconds("bad"), () -> page.byLabel("bad", "a"))) {
      assertThatThrownBy(ask)
          .isInstanceOf(GarbledPageException.class)
          .hasMessageContaining("line 2 ")
          .hasMessageContaining(complaint)
          .hasMessageEndingWith("'" + whole + "'");
    }
    assertThat(page.sum("up")).hasValue(1);
  }

  @Test
  void aSumBeyondWhatCanBeMeantAndASeriesGivenTwiceAreRefused() throws Exception {
    assertThatThrownBy(() -> page("a{b=\"1\"} 9e15\na{b=\"2\"} 9e15").sum("a")).hasMessageContaining("makes the sum of a more");
    assertThatThrownBy(() -> page("a{b=\"1\",c=\"2\"} 1\na{c=\"2\",b=\"1\"} 1").sum("a"))
        .hasMessageContaining("line 2 is of a series that the page has already");
  }

  @Test
  void seriesAreAskedForByName() {
    assertThat(MetricsPage.only(URI.create("http://h:1/metrics"), List.of("a", "b")))
        .hasToString("http://h:1/metrics?name%5B%5D=a&name%5B%5D=b");
    assertThat(MetricsPage.only(URI.create("http://h:1/metrics?x=1"), List.of("a")))
        .hasToString("http://h:1/metrics?x=1&name%5B%5D=a");
  }
}
