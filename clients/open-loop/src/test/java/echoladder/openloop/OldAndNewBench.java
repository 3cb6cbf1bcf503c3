package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What this client costs beside an older build of it that does the same work at the same time, each with a floor server of its
 * own: what the host does meanwhile happens to both alike. The property {@code bench.old} is the older one's class path: the
 * jars of its {@code harness/target/lib}. See {@link BenchPairs} for where they run.
 */
class OldAndNewBench {
  private static final String OLD = System.getProperty("bench.old", "");
  static final int PAIRS = Math.max(6, Integer.getInteger("bench.repeats", 12));
  private static final int CONNECTIONS = 2_000;
  private static final int RATE_PER_S = 5_000;
  private static final int WARM_UP_S = 10;
  private static final int STEADY_S = 10;
  /** Pairs that are made again where one of both did not do all. */
  static final int LEFT_OUT_MOST = 3;
  /** By so much may a change of the client change what an echo costs. */
  private static final double CPU_MOST = 1.03;

  /** What both said. */
  record Pair(JsonNode now, JsonNode before) {
    /** Whether both did all that they were asked; says which did not and why. */
    boolean whole() {
      boolean first = whole("now", now);
      boolean second = whole("before", before);
      return first && second;
    }

    private static boolean whole(String which, JsonNode result) {
      boolean whole =
          result.get("connections_established").intValue() == CONNECTIONS
              && result.get("answered").longValue() == result.get("scheduled").longValue();
      if (!whole) {
        System.out.printf(
            "bench: left out, as the client of %s had %s of %s answered on %s connections: %s%n",
            which, result.get("answered"), result.get("scheduled"), result.get("connections_established"), result.get("verdict_reasons"));
      }
      return whole;
    }
  }

  /** Starts a client with further options. */
  static Process start(String classPath, int port, int seed, String... options) throws IOException {
    List<String> command = BenchPairs.atClients(ClientProcess.measuredJavaCommand());
    command.set(command.indexOf("-cp") + 1, classPath);
    command.addAll(
        Stream.of(
                LoadMain.class.getName(), "--json", "--target", "127.0.0.1:" + port, "--connections", CONNECTIONS, "--rate",
                RATE_PER_S, "--duration", STEADY_S + "s", "--warm-up-min", WARM_UP_S + "s", "--warm-up-max", WARM_UP_S + "s",
                "--seed", seed)
            .map(Object::toString)
            .toList());
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** What a client said at its end. */
  static JsonNode ended(Process process) {
    return JsonMapper.shared().readTree(process.getInputStream());
  }

  private static Pair sideBySide(int portOfNow, int portOfBefore, int seed) throws IOException {
    Process now = start(System.getProperty("java.class.path"), portOfNow, seed);
    Process before = start(OLD, portOfBefore, seed);
    var ofBefore = CompletableFuture.supplyAsync(() -> ended(before));
    return new Pair(ended(now), ofBefore.join());
  }

  @Test
  void costsWhatItCostBefore() throws Exception {
    assumeFalse(OLD.isEmpty(), "SKIPPED: -Dbench.old=CLASSPATH names no older client to compare with");
    List<Pair> pairs = new ArrayList<>();
    try (FloorProcess one = FloorProcess.start(1, BenchPairs.atServers());
        FloorProcess other = FloorProcess.start(1, BenchPairs.atServers())) {
      // The servers' code is compiled in this one.
      sideBySide(one.target().port(), other.target().port(), 0);
      OtherWork others = OtherWork.besides(one.pid(), other.pid());
      for (int i = 1; pairs.size() < PAIRS && i <= PAIRS + LEFT_OUT_MOST; i++) {
        FloorProcess ofNow = i % 2 == 0 ? one : other;
        FloorProcess ofBefore = i % 2 == 0 ? other : one;
        Pair pair = sideBySide(ofNow.target().port(), ofBefore.target().port(), i);
        if (pair.whole()) {
          pairs.add(pair);
        }
      }
      if (pairs.size() < PAIRS) {
        others.assumeLittle();
      }
      assertThat(pairs).as("pairs of which both clients did all that they were asked").hasSize(PAIRS);
      System.out.printf(
          "bench: %,d connections and %,d echoes/s by each client at the same time, %d pairs%s%n",
          CONNECTIONS, RATE_PER_S, PAIRS, BenchPairs.where());
      BenchPairs both =
          new BenchPairs(List.of("now", "before"), pairs.stream().map(Pair::now).toList(), pairs.stream().map(Pair::before).toList());
      double cpu = both.ratio("client_cpu_us_per_echo");
      both.ratio("send_lateness_p50_ns");
      both.ratio("send_lateness_p99_ns");
      both.ratio("response_time_p50_ns");
      both.ratio("response_time_p99_ns");
      both.ratio("service_time_p99_ns");
      others.assumeLittle();
      assertThat(cpu).as("CPU per echo, now to before").isLessThanOrEqualTo(CPU_MOST);
    }
  }
}
