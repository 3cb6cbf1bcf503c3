package echoladder.client.page;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A page of Prometheus text, and what is asked of one. */
class MetricsPageFuzzTest {
  private static final int MOST_NAMES = 20;

  static Stream<Arguments> seeds() {
    return Inputs.texts(
        "# HELP echo_connections_open Open.\n# TYPE echo_connections_open gauge\necho_connections_open 3\n",
        "echo_accept_errors_total{reason=\"EMFILE\",} 1e3 17\necho_accept_errors_total{reason=\"a\\\\b\\\"c\\n\"} 2 # {trace=\"x\"} 1\n",
        "process_cpu_seconds_total 1.5\nprocess_cpu_seconds_total{a=\"b\"} +Inf\nx NaN\ny -Inf\nz .5E-7\n");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aPageIsReadOrCalledGarbled(byte[] input) {
    MetricsPage page;
    try {
      page = MetricsPage.parse("GET http://h/metrics", Inputs.text(input));
    } catch (GarbledPageException e) {
      Ends.said(e);
      return;
    }
    List<String> names = page.samples().stream().map(PageSample::name).distinct().limit(MOST_NAMES).toList();
    for (String name : names) {
      try {
        page.label(name, "reason");
        page.count(name);
        page.byLabel(name, "reason");
        page.nanoseconds(name);
      } catch (GarbledPageException e) {
        Ends.said(e);
      }
    }
  }
}
