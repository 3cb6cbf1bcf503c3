package echoladder.harness.probe;

import echoladder.linux.CpuList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The findings of {@link GapMeter} before a run, as environment.json has them. Pure.
 *
 * @param alone each processor with the others idle
 * @param together all of them at once
 */
public record HostGaps(List<Gaps> alone, List<Gaps> together) {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  public HostGaps {
    alone = List.copyOf(alone);
    together = List.copyOf(together);
  }

  /** Of an environment; null where the host was not looked at. */
  public static @Nullable HostGaps in(Map<String, @Nullable Object> environment) {
    Object gaps = environment.get("gaps");
    return gaps == null ? null : JSON.convertValue(gaps, HostGaps.class);
  }

  /** Those of some processors alone; where none of them was looked at by itself (of many, only some are), of all that were. */
  public HostGaps of(CpuList cpus) {
    List<Gaps> single = among(cpus, alone);
    return new HostGaps(single.isEmpty() ? alone : single, among(cpus, together));
  }

  private static List<Gaps> among(CpuList cpus, List<Gaps> processors) {
    return processors.stream().filter(of -> cpus.containsAll(CpuList.of(of.cpu()))).toList();
  }

  /**
   * The part of the time that a thread loses in gaps longer than that, 0 to 1: the mean over the processors. Between two steps it is
   * interpolated on logarithms; below the first step it is that step's, and so too little. Empty where no processor was measured.
   *
   * @param busy part of the time in which the other processors worked, 0 to 1: a hypervisor takes more while they do
   */
  public OptionalDouble share(double longerThanNs, double busy) {
    OptionalDouble quiet = mean(alone, longerThanNs);
    OptionalDouble full = mean(together, longerThanNs);
    if (quiet.isEmpty() || full.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of((1 - busy) * quiet.getAsDouble() + busy * full.getAsDouble());
  }

  private static OptionalDouble mean(List<Gaps> processors, double longerThanNs) {
    return processors.stream().mapToDouble(of -> of.share(longerThanNs)).average();
  }
}
