package echoladder.servers.contract.http;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Tested;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Platform threads without a pool, as published comparisons have them: as many requests wait as there are connections. */
@Tag("long")
final class ThreadPerRequestIT {
  /** One more than the pool has threads unless told. */
  private static final int WAITING = 201;

  static Stream<HttpSubject> subjects() {
    return Tested.some(
        HttpSubject.all().filter(subject -> subject.manifest().name().equals("jdk-http") && subject.mode().containsValue("platform")),
        "servers with a platform thread for each request");
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void requestsThatWaitKeepNobodyOut(HttpSubject subject) throws Exception {
    List<HttpPeer> peers = new ArrayList<>();
    try (HttpServerUnderTest server = HttpServerUnderTest.start(subject.argv(0, Map.of("pool-size", "0")))) {
      assertThat(String.valueOf(server.ready().config().get("pool_size"))).isEqualTo("0");
      for (int i = 0; i < WAITING; i++) {
        HttpPeer peer = server.connect();
        peers.add(peer);
        peer.get("/api/heavy?duration=60000");
      }
      HttpPeer last = server.connect();
      peers.add(last);
      last.get("/api/light");
      assertThat(last.answer().status()).isEqualTo(200);
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
  }
}
