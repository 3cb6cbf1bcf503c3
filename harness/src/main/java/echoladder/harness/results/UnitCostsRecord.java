package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What one of each thing costs on a host, measured apart and without any server.
 *
 * @param cpus processors that it was measured on; null = any
 * @param rates at each rate of the study, as what seldom happens finds cold caches and costs more
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record UnitCostsRecord(@Nullable String cpus, List<AtRate> rates) {
  public UnitCostsRecord {
    rates = List.copyOf(rates);
  }

  /**
   * At one rate.
   *
   * @param ratePerS how often a thread woke and did the thing, per second
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record AtRate(double ratePerS, List<Cost> costs) {
    public AtRate {
      costs = List.copyOf(costs);
    }
  }

  /**
   * What one thing costs.
   *
   * @param name its {@code id} in the package {@code breakdown}
   * @param us CPU of one of it, in µs: the median of the rounds
   * @param leastUs the least of the rounds
   * @param mostUs the most of them
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Cost(
      String name, double us, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double leastUs,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double mostUs) {}

  /** That of a thing at a rate; empty where it was not measured there. */
  public Optional<Cost> at(double ratePerS, String name) {
    return rates.stream()
        .filter(of -> of.ratePerS() == ratePerS)
        .flatMap(of -> of.costs().stream())
        .filter(cost -> cost.name().equals(name))
        .findFirst();
  }
}
