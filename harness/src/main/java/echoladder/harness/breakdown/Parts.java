package echoladder.harness.breakdown;

import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.UnitCostsRecord.Cost;
import echoladder.harness.study.Breakdown;
import echoladder.harness.study.Profile;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a server's echo costs above another's at one load, as a sum of named parts. Each part is a difference of two entries of one
 * server in rungs that nobody watched, or a count times a unit cost that was measured apart; never a share of a profiler's samples.
 * The differences are those of the repeats in which all servers of the sum are valid: so the parts of the chain add up by
 * themselves, and what the sum misses is missed by the counts. Pure.
 *
 * @param load connections and rate
 * @param repeats how many have all servers of the sum valid; 0 = there is no sum
 * @param measured what is to be explained; null where there is no such repeat
 * @param parts those of the chain, then those that are counted
 */
public record Parts(RungKey load, int repeats, @Nullable Difference measured, List<Part> parts) {
  public Parts {
    parts = List.copyOf(parts);
  }

  /**
   * CPU per echo of one server above that of another.
   *
   * @param us the mean over the repeats, in µs
   * @param leastUs the least of them
   * @param mostUs the most
   */
  public record Difference(double us, double leastUs, double mostUs) {
    private static Difference of(List<Double> each) {
      return new Difference(mean(each), each.stream().mapToDouble(us -> us).min().orElseThrow(),
          each.stream().mapToDouble(us -> us).max().orElseThrow());
    }
  }

  /**
   * One part.
   *
   * @param name what it is of
   * @param difference of two entries; null of a part that is counted
   * @param count how many more of it each echo has; null of a difference, and where no count could be had
   * @param unit what one of it costs; null of a difference, and where that is not known
   */
  public record Part(String name, @Nullable Difference difference, @Nullable Double count, @Nullable Cost unit) {
    /** In µs per echo; null where it is not known. */
    public @Nullable Double us() {
      return difference != null ? (Double) difference.us() : count == null || unit == null ? null : (Double) (count * unit.us());
    }
  }

  /** All parts together, in µs per echo; null where one of them is not known. */
  public @Nullable Double sumUs() {
    return parts.isEmpty() || parts.stream().anyMatch(part -> part.us() == null)
        ? null
        : (Double) parts.stream().mapToDouble(part -> Objects.requireNonNull(part.us())).sum();
  }

  /** The sum over what was measured; null where one of them is not known. */
  public @Nullable Double ratio() {
    Double sum = sumUs();
    return sum == null || measured == null || measured.us() <= 0 ? null : (Double) (sum / measured.us());
  }

  /** The sums of a run, one for each load, in the order of the study; none of a run that makes none. */
  public static List<Parts> of(RunRecord run) {
    Breakdown breakdown = run.study().breakdown();
    if (breakdown == null || breakdown.above() == null || breakdown.chain().isEmpty()) {
      return List.of();
    }
    String above = breakdown.above();
    return run.rungs().stream()
        .filter(rung -> rung.server().equals(above) && !rung.driftCheck())
        .map(rung -> rung.key().repeat(1))
        .distinct()
        .map(load -> of(run, breakdown.chain(), above, load))
        .toList();
  }

  private static Parts of(RunRecord run, List<String> chain, String above, RungKey load) {
    Map<RungKey, RungRecord> valid = new HashMap<>();
    run.rungs().stream().filter(RungRecord::valid).forEach(rung -> valid.put(rung.key(), rung));
    List<String> all = new ArrayList<>(chain);
    all.add(above);
    List<Integer> repeats =
        IntStream.rangeClosed(1, run.study().repeats())
            .filter(repeat -> all.stream().allMatch(label -> known(valid.get(load.of(label).repeat(repeat)))))
            .boxed()
            .toList();
    if (repeats.isEmpty()) {
      return new Parts(load, 0, null, List.of());
    }
    At at = new At(run, load, repeats, valid);
    List<Part> parts = new ArrayList<>();
    for (int i = 1; i < chain.size(); i++) {
      parts.add(new Part(changed(run.study(), chain.get(i - 1), chain.get(i)), at.difference(chain.get(i - 1), chain.get(i)), null, null));
    }
    for (UnitCost of : UnitCost.values()) {
      parts.add(at.counted(of, chain.getLast(), above));
    }
    return new Parts(load, repeats.size(), at.difference(chain.getFirst(), above), parts);
  }

  private static boolean known(@Nullable RungRecord rung) {
    return rung != null && LoadMetrics.SERVER_CPU.value(rung) != null;
  }

  /** Which options two entries differ in, as the second has them. */
  private static String changed(Study study, String first, String second) {
    Map<String, String> before = study.entry(first).orElseThrow().options();
    Map<String, String> after = study.entry(second).orElseThrow().options();
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(before.get(name), after.get(name)))
        .map(name -> name + "=" + after.getOrDefault(name, "its default"))
        .collect(Collectors.joining(", "));
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(value -> value).average().orElseThrow();
  }

  /** The rungs of one load. */
  private record At(RunRecord run, RungKey load, List<Integer> repeats, Map<RungKey, RungRecord> valid) {
    private RungRecord rung(String label, int repeat) {
      return Objects.requireNonNull(valid.get(load.of(label).repeat(repeat)));
    }

    private Difference difference(String first, String second) {
      return Difference.of(
          repeats.stream()
              .map(
                  repeat ->
                      Objects.requireNonNull(LoadMetrics.SERVER_CPU.value(rung(first, repeat)))
                          - Objects.requireNonNull(LoadMetrics.SERVER_CPU.value(rung(second, repeat))))
              .toList());
    }

    private Part counted(UnitCost of, String more, String fewer) {
      Double ours = count(of, more);
      Double theirs = count(of, fewer);
      double rate = rung(fewer, repeats.getFirst()).ratePerS();
      Cost unit = run.unitCosts() == null ? null : run.unitCosts().at(rate, of.id()).orElse(null);
      return new Part(of.label(), null, ours == null || theirs == null ? null : (Double) (ours - theirs), unit);
    }

    private @Nullable Double count(UnitCost of, String label) {
      return switch (of.counted()) {
        case CALLS -> calls(of, label, false);
        case FAILED_CALLS -> calls(of, label, true);
        case SWITCHES -> figure(RuntimeMetrics.VOLUNTARY_SWITCHES_PER_ECHO, label);
        case ALLOCATED_KIB -> {
          Double bytes = figure(RuntimeMetrics.ALLOCATED_PER_ECHO, label);
          yield bytes == null ? null : (Double) (bytes / 1024);
        }
      };
    }

    /** By the profile of system calls at this load; null where there is none. */
    private @Nullable Double calls(UnitCost of, String label, boolean failed) {
      return run.profiles().stream()
          .filter(profile -> profile.kind() == Profile.Kind.SYSCALLS && profile.watched() != null)
          .filter(profile -> profile.rung().key().repeat(1).equals(load.of(label)))
          .findFirst()
          .map(profile -> calls(of, profile, failed))
          .orElse(null);
    }

    private static double calls(UnitCost of, ProfileRecord profile, boolean failed) {
      return of.calls().stream()
          .flatMap(name -> profile.count(name).stream())
          .mapToDouble(count -> !failed ? count.perEcho() : count.failedPerEcho() == null ? 0 : count.failedPerEcho())
          .sum();
    }

    private @Nullable Double figure(Metric figure, String label) {
      List<Double> each = repeats.stream().map(repeat -> figure.value(rung(label, repeat))).filter(Objects::nonNull).toList();
      return each.isEmpty() ? null : (Double) mean(each);
    }
  }
}
