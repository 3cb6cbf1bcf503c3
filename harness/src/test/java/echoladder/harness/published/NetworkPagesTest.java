package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.stats.Spread;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What pages say of runs over a network that a lab made. */
class NetworkPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final List<String> SERVERS = List.of("floor", "go-echo", "netty", "virtual-threads");

  private static RunRecord run(String folder) {
    return new RunFolder(CHECKOUT.results().resolve("reference").resolve(folder)).read();
  }

  /** Milliseconds, the first repeat first. */
  private static List<Double> ms(RunRecord run, String server, String percentile) {
    Metric time = Catalogue.named("server_time_" + percentile + "_ns").orElseThrow();
    return run.rungs().stream()
        .filter(rung -> rung.valid() && rung.server().equals(server))
        .sorted((one, other) -> Integer.compare(one.repeat(), other.repeat()))
        .map(rung -> Objects.requireNonNull(time.value(rung)) / 1e6)
        .toList();
  }

  private static String cell(List<Double> ms) {
    return ms.stream().map("%.2f"::formatted).collect(Collectors.joining(", ")) + " ms";
  }

  @Test
  void whatALabAddsIsOfItsRun() throws Exception {
    RunRecord run = run("over-a-network-delays/20261201T020901Z-91c1");
    List<List<String>> rows = PageTables.table("docs/METHOD.md", "| delay | server time p50 | minus delay | p90 | p99 |");
    assertThat(rows).hasSize(6);
    for (List<String> row : rows) {
      String server = "floor-delay-" + row.getFirst().replace(" ", "");
      double delay = Double.parseDouble(row.getFirst().split(" ", -1)[0]);
      List<Double> medians = ms(run, server, "p50");
      assertThat(row.subList(1, 5))
          .as("%s", row)
          .containsExactly(
              cell(medians), cell(medians.stream().map(median -> median - delay).toList()), cell(ms(run, server, "p90")), cell(ms(run, server, "p99")));
    }
  }

  @Test
  void fourServersOverANetworkAreOfTheirRun() throws Exception {
    RunRecord run = run("over-a-network/20261201T014851Z-0754");
    List<List<String>> rows = PageTables.table("studies/over-a-network/STUDY.md", "| | server time p50 |");
    List<Spread> medians = SERVERS.stream().map(server -> Spread.of(ms(run, server, "p50"))).toList();
    assertThat(medians).allMatch(each -> each.count() == 6);
    assertThat(rows)
        .extracting(row -> row.get(1))
        .isEqualTo(
            medians.stream()
                .map(each -> String.format(Locale.ROOT, "%.1f ms (%.1f–%.1f)", each.median(), each.least(), each.most()))
                .toList());
    assertThat(Files.readString(CHECKOUT.root().resolve("docs/RESULTS.md")).replaceAll("\\s+", " "))
        .contains("%.1f ms on the floor, %.1f on goroutines, %.1f on Netty and %.1f on virtual threads".formatted(
            medians.stream().map(Spread::median).toArray()));
  }

  /** The knob of README's sentence, with messages of 256 KiB. */
  @Test
  void aLargerMessageIsOfItsRun() throws Exception {
    RunRecord run = run("tuning/20261201T015806Z-eb14");
    double begins = Spread.of(ms(run, "netty-slow-start-after-idle-default", "p50")).median();
    double keeps = Spread.of(ms(run, "netty-slow-start-after-idle-profile", "p50")).median();
    assertThat(Files.readString(CHECKOUT.root().resolve("README.md"))).contains("256 KiB took %.0f ms instead of %.0f".formatted(keeps, begins));
    assertThat(Files.readString(CHECKOUT.root().resolve("studies/over-a-network/STUDY.md")))
        .contains("256 KiB: %.0f ms became %.1f ms".formatted(begins, keeps));
  }
}
