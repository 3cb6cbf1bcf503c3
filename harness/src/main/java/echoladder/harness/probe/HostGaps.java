package echoladder.harness.probe;

import echoladder.linux.cpu.CpuList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/**
 * The findings of {@link GapMeter} before a run, as environment.json has them. Pure.
 *
 * @param alone each processor with the others idle
 * @param othersFilled each processor with the others busy for the hypervisor, and free for this host's other programs; empty in
 *     older runs
 * @param together all of them at once
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record HostGaps(List<Gaps> alone, List<Gaps> othersFilled, List<Gaps> together) {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  public HostGaps {
    alone = List.copyOf(alone);
    othersFilled = List.copyOf(Objects.requireNonNullElse(othersFilled, List.of()));
    together = List.copyOf(together);
  }

  /** Gaps that an environment tells; null where the host was not looked at. */
  public static @Nullable HostGaps in(Map<String, @Nullable Object> environment) {
    Object gaps = environment.get("gaps");
    return gaps == null ? null : read(gaps);
  }

  /** Reads what environment.json has below {@code gaps}. */
  static HostGaps read(Object gaps) {
    return JSON.convertValue(gaps, HostGaps.class);
  }

  /** Those of some processors alone; where none of them was looked at by itself (of many, only some are), of all that were. */
  public HostGaps of(CpuList cpus) {
    return new HostGaps(amongOrAll(cpus, alone), amongOrAll(cpus, othersFilled), among(cpus, together));
  }

  private static List<Gaps> amongOrAll(CpuList cpus, List<Gaps> processors) {
    List<Gaps> some = among(cpus, processors);
    return some.isEmpty() ? processors : some;
  }

  private static List<Gaps> among(CpuList cpus, List<Gaps> processors) {
    return processors.stream().filter(of -> cpus.containsAll(CpuList.of(of.cpu()))).toList();
  }

  /**
   * The part of the time that a thread loses in gaps longer than that, 0 to 1: the mean over the processors. Between two steps it is
   * interpolated on logarithms; below the first step it is that step's, and so too little. Empty where no processor was measured.
   *
   * @param busy part of the time in which the hypervisor saw the other processors work, 0 to 1: it takes more while they do
   * @param full part of the time in which this host's programs used every processor, 0 to {@code busy}: then another program takes
   *     the processor of one of them
   */
  public OptionalDouble share(double longerThanNs, double busy, double full) {
    OptionalDouble quiet = mean(alone, longerThanNs);
    OptionalDouble all = mean(together, longerThanNs);
    if (quiet.isEmpty() || all.isEmpty()) {
      return OptionalDouble.empty();
    }
    double filled = mean(othersFilled, longerThanNs).orElse(all.getAsDouble());
    return OptionalDouble.of((1 - busy) * quiet.getAsDouble() + (busy - full) * filled + full * all.getAsDouble());
  }

  private static OptionalDouble mean(List<Gaps> processors, double longerThanNs) {
    return processors.stream().mapToDouble(of -> of.share(longerThanNs)).average();
  }
}
