package echoladder.harness.breakdown;

import echoladder.harness.common.Units;
import echoladder.harness.results.UnitCostsRecord;
import echoladder.harness.results.UnitCostsRecord.AtRate;
import echoladder.harness.results.UnitCostsRecord.Cost;
import echoladder.harness.stats.Spread;
import echoladder.linux.ChildProcess;
import echoladder.linux.CpuAffinity;
import echoladder.linux.CpuList;
import echoladder.linux.HeadAndTail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one of each thing costs on this host, measured apart: the CPU of a process whose thread wakes at a rate and does it once,
 * less that of one which wakes as often for nothing. At a low rate a thing finds cold caches and costs more, so each rate of a study
 * has its own.
 */
public final class UnitCosts {
  /** How long each block of a round takes, in ms; 0 = nothing is measured. For tests, which would otherwise wait for it. */
  public static final String PROPERTY = "echoladder.unit-cost-ms";

  /** Of a block in which the thread wakes for nothing. */
  static final String NOTHING = "nothing";

  private static final long DEFAULT_MS = 200;
  private static final int ROUNDS = 9;
  /** Beyond the blocks: its start and its warm-up. */
  private static final Duration BEYOND = Duration.ofSeconds(60);

  /** With fewer switches than so many each time, what they cost is no more than noise. */
  private static final double SWITCHES_LEAST = 0.5;

  private static final double NS_PER_US = 1e3;

  private UnitCosts() {}

  /**
   * One block.
   *
   * @param cpuNs of the process, each time that the thread woke
   * @param switches voluntary ones of all its threads, likewise
   */
  record Block(int round, String name, double cpuNs, double switches) {}

  /**
   * Measures.
   *
   * @param cpus of the server; null = any
   * @param ratesPerS of the study, ascending
   * @param progress is told beforehand how long it takes
   * @param trouble is told where it cannot be measured
   * @return null where it cannot, or is switched off
   */
  public static @Nullable UnitCostsRecord measure(
      @Nullable CpuList cpus, List<Double> ratesPerS, Consumer<String> progress, Consumer<String> trouble) {
    long ms = Long.getLong(PROPERTY, DEFAULT_MS);
    if (ms <= 0) {
      return null;
    }
    Duration blocks = Duration.ofMillis(ms * ROUNDS * (UnitCost.values().length + 1) * ratesPerS.size());
    progress.accept("measuring for %s what one of each thing costs".formatted(Units.clock(blocks)));
    try {
      return record(cpus, run(cpus, ratesPerS, ms, blocks.plus(BEYOND)));
    } catch (IOException | IllegalArgumentException e) {
      trouble.accept("what one of each thing costs is not known, so no sum of parts is made: " + e.getMessage());
      return null;
    }
  }

  private static String run(@Nullable CpuList cpus, List<Double> ratesPerS, long ms, Duration bound) throws IOException {
    List<String> command = new ArrayList<>(cpus == null ? List.of() : CpuAffinity.wrapper(cpus));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // As the servers on a JVM have it.
            "-XX:+UseG1GC",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            UnitCostProcess.class.getName(),
            Long.toString(ms),
            Integer.toString(ROUNDS)));
    ratesPerS.forEach(rate -> command.add(rate.toString()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream failure = new ByteArrayOutputStream();
    try (HeadAndTail out = HeadAndTail.log(said);
        HeadAndTail err = HeadAndTail.log(failure);
        ChildProcess process = ChildProcess.start(new ProcessBuilder(command), out, err)) {
      boolean ended = process.endsWithin(bound);
      if (!ended) {
        process.kill();
      }
      if (!process.drained() || process.status() == null || process.status() != 0) {
        throw new IOException("the process that measures " + process.ending() + ": " + failure.toString(StandardCharsets.UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the process measured", e);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  /** From the lines of the process: rate, round, name, CPU in ns, switches. */
  static UnitCostsRecord record(@Nullable CpuList cpus, String text) {
    Map<Double, List<Block>> byRate = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length != 5) {
        throw new IllegalArgumentException("the process that measures said '" + line + "'");
      }
      byRate
          .computeIfAbsent(Double.valueOf(words[0]), _ -> new ArrayList<>())
          .add(new Block(Integer.parseInt(words[1]), words[2], Double.parseDouble(words[3]), Double.parseDouble(words[4])));
    }
    List<AtRate> rates = new ArrayList<>();
    byRate.forEach((rate, blocks) -> rates.add(new AtRate(rate, costs(blocks))));
    return new UnitCostsRecord(cpus == null ? null : cpus.toString(), rates);
  }

  private static List<Cost> costs(List<Block> blocks) {
    Map<Integer, Map<String, Block>> rounds =
        blocks.stream().collect(
            Collectors.groupingBy(Block::round, TreeMap::new, Collectors.toMap(Block::name, block -> block, (a, _) -> a, TreeMap::new)));
    List<Cost> costs = new ArrayList<>();
    for (UnitCost of : UnitCost.values()) {
      List<Double> us = rounds.values().stream().flatMap(round -> us(of, round).stream()).toList();
      if (!us.isEmpty()) {
        Spread spread = Spread.of(us);
        costs.add(new Cost(of.id(), spread.median(), (Double) spread.least(), (Double) spread.most()));
      }
    }
    return costs;
  }

  /** One of a thing in one round; empty where the round lacks a block, or too few switches were seen. */
  private static Optional<Double> us(UnitCost of, Map<String, Block> round) {
    Block nothing = round.get(NOTHING);
    Block done = round.get(of.id());
    if (nothing == null || done == null) {
      return Optional.empty();
    }
    double us = (done.cpuNs() - nothing.cpuNs()) / NS_PER_US;
    double switches = done.switches() - nothing.switches();
    return switch (of) {
      case READ_NOTHING, EPOLL_CTL, EPOLL_WAIT -> Optional.of(us);
      case SWITCH -> switches < SWITCHES_LEAST ? Optional.empty() : Optional.of(us / switches);
      case VIRTUAL_TURN -> us(UnitCost.SWITCH, round).map(each -> us - switches * each);
      case ALLOCATED_KIB -> Optional.of(us / UnitCostProcess.KIB_EACH);
    };
  }
}
