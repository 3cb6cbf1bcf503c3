package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult.ClientCondition;
import echoladder.client.LoadResult.Connections;
import echoladder.client.LoadResult.Cost;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Pace;
import echoladder.client.LoadResult.Times;
import echoladder.client.figures.Crowd;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.client.figures.Stamps;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The names that others script against. */
class LoadResultJsonTest {
  private final ObjectMapper json = JsonMapper.shared();

  static LoadResult sample() {
    Percentiles some = new Percentiles(1L, 2L, 3L, null, null, 6L);
    return new LoadResult(
        "open-loop", new Connections(10, 9, 1, 0, 0, 0, 9, null), Map.of("connect ECONNREFUSED", 1L), new Pace(100, 99, 10, 2, 0.5, 20),
        new Messages(1000, 1000, 990, 10, 0, 0, 0, 990), some, 99.0, 0,
        new Cost(12.5, null, 1L, null, 0.1), new ClientCondition(0L, 0.0, 60.0, 1, 1, List.of("127.0.0.2"), true), null, null,
        Verdict.INVALID,
        List.of(new Reason(ReasonCode.CONNECTIONS_MISSING, "9 of 10 connections established")),
        new Times(some, some, some, new LateShares(0.1, 0.2, 0.3, 0.4, null, 2L), some, some, some, some, new Stamps(0.999, 3L, 1L)),
        new LoadResult.Placement("1", "1", "0", 0L),
        new LoadResult.Drift(0.97, 1.3), 
        new Crowd(
            12L, some, some, some, 7L, 0L, some, new Crowd.Reconnects(9L, 9L, 12L, 2L, 1L, 0L, 0L, 1.5),
            new Deliveries(60L, 6_000L, 5_990L, 4L, 3L, 2L, 1L, 0L, some, some, some),
            new SlowReaderFigures(5L, 4L, 1L, 900L, 800L, 700L, 600L, some), new Handshakes(20L, 19L)));
  }

  @Test
  void carriesTheFieldsOfTheContract() {
    JsonNode tree = json.valueToTree(sample());
    assertThat(tree.propertyNames())
        .contains(
            "connections_requested", "connections_established", "offered_per_s", "achieved_per_s", "unanswered",
            "client_cpu_us_per_echo", "server_cpu_us_per_echo", "client_rss_bytes", "server_rss_bytes", "verdict");
    for (String kind : List.of("response_time_", "service_time_", "connect_time_", "server_time_", "receive_delay_", "send_lateness_")) {
      for (String q : List.of("p50", "p90", "p99", "p999", "p9999", "max")) {
        assertThat(tree.has(kind + q + "_ns")).as(kind + q + "_ns").isTrue();
      }
    }
    assertThat(tree.propertyNames()).contains("stamped_share", "stamps_shared", "stamps_dropped");
    assertThat(tree.get("server_cpu_us_per_echo").isNull()).isTrue();
    assertThat(tree.get("response_time_p999_ns").isNull()).isTrue();
    assertThat(tree.get("verdict").stringValue()).isEqualTo("invalid");
    assertThat(tree.at("/verdict_reasons/0/reason").stringValue()).isEqualTo("connections-missing");
  }

  @Test
  void readsBackWhatItWrote() {
    assertThat(json.readValue(json.writeValueAsString(sample()), LoadResult.class)).isEqualTo(sample());
  }

  /** A result written before there were stamps. */
  @Test
  void readsAResultWithoutStamps() {
    ObjectNode old = json.valueToTree(sample());
    old.remove(old.propertyNames().stream().filter(name -> name.matches("server_time_.*|receive_delay_.*|stamp.*")).toList());
    LoadResult read = json.treeToValue(old, LoadResult.class);
    assertThat(read.times().server()).isEqualTo(Percentiles.NONE);
    assertThat(read.times().stamps()).isEqualTo(Stamps.NONE);
    assertThat(read.times().stamps().suffice()).isFalse();
  }
}
