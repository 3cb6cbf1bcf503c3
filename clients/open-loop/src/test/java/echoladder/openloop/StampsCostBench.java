package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.process.ProcessCpu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What stamps cost the client, side by side, and the server, in turn. See {@link BenchPairs} for where they run. */
class StampsCostBench {
  /** By so much may stamps raise the client's CPU per echo. */
  private static final double CPU_MOST = 1.03;

  private static Process start(int port, int seed, String stamps) throws IOException {
    return OldAndNewBench.start(System.getProperty("java.class.path"), port, seed, "--stamps", stamps);
  }

  private static OldAndNewBench.Pair sideBySide(int portOfOn, int portOfOff, int seed) throws IOException {
    Process on = start(portOfOn, seed, "on");
    Process off = start(portOfOff, seed, "off");
    var ofOff = CompletableFuture.supplyAsync(() -> OldAndNewBench.ended(off));
    return new OldAndNewBench.Pair(OldAndNewBench.ended(on), ofOff.join());
  }

  /** While one of both asks for stamps the kernel stamps the packets of both: this is what the client itself does for them. */
  @Test
  void theClientsOwnCost() throws Exception {
    List<OldAndNewBench.Pair> pairs = new ArrayList<>();
    try (FloorProcess one = FloorProcess.start(1, BenchPairs.atServers());
        FloorProcess other = FloorProcess.start(1, BenchPairs.atServers())) {
      // The servers' code is compiled in this one.
      sideBySide(one.target().port(), other.target().port(), 0);
      OtherWork others = OtherWork.besides(one.pid(), other.pid());
      for (int i = 1; pairs.size() < OldAndNewBench.PAIRS && i <= OldAndNewBench.PAIRS + OldAndNewBench.LEFT_OUT_MOST; i++) {
        FloorProcess ofOn = i % 2 == 0 ? one : other;
        FloorProcess ofOff = i % 2 == 0 ? other : one;
        OldAndNewBench.Pair pair = sideBySide(ofOn.target().port(), ofOff.target().port(), i);
        if (pair.whole()) {
          pairs.add(pair);
        }
      }
      double cpu =
          said(
              pairs.stream().map(OldAndNewBench.Pair::now).toList(), pairs.stream().map(OldAndNewBench.Pair::before).toList());
      others.assumeLittle();
      assertThat(pairs).as("pairs of which both clients did all that they were asked").hasSize(OldAndNewBench.PAIRS);
      assertThat(cpu).as("CPU per echo, with stamps to without").isLessThanOrEqualTo(CPU_MOST);
    }
  }

  private static double said(List<JsonNode> on, List<JsonNode> off) {
    System.out.printf("bench: %d pairs, stamps on and off%s%n", on.size(), BenchPairs.where());
    BenchPairs both = new BenchPairs(List.of("on", "off"), on, off);
    both.ratio("send_lateness_p50_ns");
    both.ratio("response_time_p50_ns");
    both.ratio("response_time_p99_ns");
    return both.ratio("client_cpu_us_per_echo");
  }

  /**
   * What stamping every packet costs the host: a server's CPU in runs in turn, with and without, in either order. Every other pair is
   * of two runs without, which says what the order alone does. It prints and asserts nothing, as runs in turn meet another host each.
   */
  @Test
  void theServersShare() throws Exception {
    List<Double> ratios = new ArrayList<>();
    List<Double> control = new ArrayList<>();
    try (FloorProcess floor = FloorProcess.start(1, BenchPairs.atServers())) {
      int port = floor.target().port();
      serverUs(floor, port, 0, "off");
      OtherWork others = OtherWork.besides(floor.pid());
      for (int i = 1; i <= OldAndNewBench.PAIRS; i++) {
        boolean onFirst = i % 2 == 0;
        double first = serverUs(floor, port, i, onFirst ? "on" : "off");
        double second = serverUs(floor, port, i, onFirst ? "off" : "on");
        ratios.add(onFirst ? first / second : second / first);
        double a = serverUs(floor, port, i, "off");
        double b = serverUs(floor, port, i, "off");
        control.add(onFirst ? a / b : b / a);
      }
      System.out.printf(
          "bench: server CPU per echo, stamps on to off: median %.3f, %s; off to off: median %.3f, %s%n",
          BenchPairs.median(ratios.stream().mapToDouble(r -> r).toArray()), sorted(ratios),
          BenchPairs.median(control.stream().mapToDouble(r -> r).toArray()), sorted(control));
      others.assumeLittle();
    }
  }

  private static String sorted(List<Double> ratios) {
    return ratios.stream().sorted().map("%.3f"::formatted).toList().toString();
  }

  /** CPU of the server over a whole run, per echo that was answered in its steady state. */
  private static double serverUs(FloorProcess floor, int port, int seed, String stamps) throws IOException {
    ProcessCpu cpu = new ProcessCpu();
    long before = cpu.ns(floor.pid());
    JsonNode result = OldAndNewBench.ended(start(port, seed, stamps));
    return (cpu.ns(floor.pid()) - before) / 1e3 / result.get("answered").doubleValue();
  }
}
