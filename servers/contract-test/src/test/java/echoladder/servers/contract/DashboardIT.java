package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.Percentiles;
import echoladder.harness.common.Checkout;
import echoladder.loadmetrics.LoadExporter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard under docs asks for metrics that servers and client have, and leaves none of their own out. */
class DashboardIT {
  private static final Pattern NAME = Pattern.compile("\\b(?:echo|process|jvm|go)_[a-z0-9_]+");

  /** Info metrics, of which there is nothing to draw, and what another panel says better. */
  private static final Set<String> NOT_DRAWN =
      Set.of(
          "echo_server_info", "echo_connections_broken_total", "echo_hiccup_seconds_count", "echo_hiccup_seconds_sum",
          "echo_hiccup_cpu_seconds_total");

  private static Set<String> asked() throws Exception {
    String text = Files.readString(Checkout.find().root().resolve("docs/grafana/echo-ladder.json"));
    Set<String> names = new TreeSet<>();
    JsonNode dashboard = JsonMapper.shared().readTree(text);
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        names.addAll(names(target.path("expr").asString()));
      }
    }
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      names.addAll(names(variable.path("definition").asString("")));
    }
    return names;
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> series(String page) {
    return page.lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> ofClient() {
    LoadExporter metrics = new LoadExporter();
    metrics.begin("netty", 10);
    Percentiles each = new Percentiles(1L, 1L, 1L, 1L, 1L, 1L);
    metrics.progress(new Progress(Phase.STEADY, 1, 1, 10, 0, 1, 1, 1, 0, 3, new Progress.Times(each, each, each)));
    return series(new String(metrics.page(), StandardCharsets.UTF_8));
  }

  @Test
  void asksForWhatExists() throws Exception {
    assumeTrue(Tested.only() == null, "the dashboard is of all servers together");
    Set<String> exist = ofClient();
    for (Variant variant : Variant.defaults().toList()) {
      try (RunningServer server = RunningServer.start(variant)) {
        exist.addAll(series(server.ask("GET", server.ready().metrics()).body()));
      }
    }
    assertThat(asked()).hasSizeGreaterThan(20).isSubsetOf(exist);
    Set<String> own = exist.stream().filter(name -> name.startsWith("echo_")).collect(Collectors.toCollection(TreeSet::new));
    own.removeAll(NOT_DRAWN);
    assertThat(asked()).containsAll(own);
  }
}
