package echoladder.harness.breakdown;

import echoladder.harness.breakdown.UnitCostProcess.Thing;
import echoladder.harness.common.Units;
import echoladder.harness.results.UnitCostsRecord.AtRate;
import echoladder.harness.results.UnitCostsRecord.Cost;
import echoladder.harness.results.UnitCostsRecord;
import echoladder.harness.stats.Spread;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.CpuAffinity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What one of each thing costs on this host, measured apart. A thread wakes at a rate and does the thing once. The cost is the CPU of
 * that thread around the thing and of all threads that it wakes, less the same around nothing. At a low rate a thing finds cold caches
 * and costs more, so each rate of a study has its own.
 */
public final class UnitCosts {
  /** How long each block of a round takes, in ms; 0 = nothing is measured. For tests, which would otherwise wait for it. */
  public static final String PROPERTY = "echoladder.unit-cost-ms";

  private static final long DEFAULT_MS = 150;
  private static final int ROUNDS = 15;
  /** Beyond the blocks: its start and its warm-up. */
  private static final Duration BEYOND = Duration.ofSeconds(60);

  /** With fewer switches than so many each time, what they cost is no more than noise. */
  private static final double SWITCHES_LEAST = 0.5;

  private static final double NS_PER_US = 1e3;

  private UnitCosts() {}

  /**
   * One block.
   *
   * @param cpuNs each time that the thread woke: its own around the thing, and that of all other threads but the compilers
   * @param switches voluntary ones of all its threads, likewise
   */
  record Block(int round, Thing thing, double cpuNs, double switches) {}

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
    Duration blocks = Duration.ofMillis(ms * ROUNDS * Thing.values().length * ratesPerS.size());
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

  /** From the lines of the process: rate, round, what was done, CPU in ns, switches. */
  static UnitCostsRecord record(@Nullable CpuList cpus, String text) {
    Map<Double, List<Block>> byRate = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length != 5) {
        throw new IllegalArgumentException("the process that measures said '" + line + "'");
      }
      byRate
          .computeIfAbsent(Double.valueOf(words[0]), _ -> new ArrayList<>())
          .add(new Block(Integer.parseInt(words[1]), Thing.valueOf(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4])));
    }
    List<AtRate> rates = new ArrayList<>();
    byRate.forEach((rate, blocks) -> rates.add(new AtRate(rate, costs(blocks))));
    return new UnitCostsRecord(cpus == null ? null : cpus.toString(), rates);
  }

  private static List<Cost> costs(List<Block> blocks) {
    Map<Integer, Map<Thing, Block>> rounds = new TreeMap<>();
    blocks.forEach(block -> rounds.computeIfAbsent(block.round(), _ -> new EnumMap<>(Thing.class)).put(block.thing(), block));
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
  private static Optional<Double> us(UnitCost of, Map<Thing, Block> round) {
    return switch (of) {
      case READ_NOTHING -> beyondNothing(Thing.READ_NOTHING, round);
      case EPOLL_CTL -> beyondNothing(Thing.EPOLL_CTL, round);
      case EPOLL_WAIT -> beyondNothing(Thing.EPOLL_WAIT, round);
      case SWITCH -> beyondNothing(Thing.SWITCH, round)
          .flatMap(us -> switches(Thing.SWITCH, round).filter(switches -> switches >= SWITCHES_LEAST).map(switches -> us / switches));
      case VIRTUAL_TURN -> beyondNothing(Thing.ONE_TURN, round)
          .flatMap(one -> beyondNothing(Thing.SEVERAL_TURNS, round).map(several -> (several - one) / (UnitCostProcess.TURNS - 1)));
      case CARRIER_WAKE -> beyondNothing(Thing.ONE_TURN, round)
          .flatMap(one -> us(UnitCost.VIRTUAL_TURN, round).map(turn -> one - turn))
          .flatMap(wake -> us(UnitCost.SWITCH, round)
              .flatMap(each -> switches(Thing.ONE_TURN, round).map(switches -> wake - switches * each)));
      case ALLOCATED_KIB -> beyondNothing(Thing.ALLOCATED, round).map(us -> us / UnitCostProcess.KIB_EACH);
    };
  }

  private static Optional<Double> beyondNothing(Thing thing, Map<Thing, Block> round) {
    return difference(thing, round, Block::cpuNs).map(ns -> ns / NS_PER_US);
  }

  private static Optional<Double> switches(Thing thing, Map<Thing, Block> round) {
    return difference(thing, round, Block::switches);
  }

  private static Optional<Double> difference(Thing thing, Map<Thing, Block> round, ToDoubleFunction<Block> figure) {
    Block nothing = round.get(Thing.NOTHING);
    Block done = round.get(thing);
    return nothing == null || done == null ? Optional.empty() : Optional.of(figure.applyAsDouble(done) - figure.applyAsDouble(nothing));
  }
}
