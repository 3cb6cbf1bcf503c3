package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.doctor.Row;
import echoladder.harness.limits.MetLimit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a rung showed of limits.
 *
 * @param met by what server, client and kernel showed, the one that comes first in the chain of causes first
 * @param doctor what the doctor said of the limits as they bound the server's process, before the first connection: what
 *     falls short, then what may hurt, the scarcest first
 * @param serverSaid failed accepts by reason, and lines of its log
 * @param kernel counts that changed, by their column in samples.csv
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record LimitsRecord(
    List<MetLimit> met, List<Said> doctor, List<String> serverSaid, Map<String, Count> kernel) {
  public LimitsRecord {
    met = List.copyOf(met);
    doctor = List.copyOf(doctor);
    serverSaid = List.copyOf(serverSaid);
    kernel = new TreeMap<>(kernel);
  }

  /**
   * A row of the doctor's.
   *
   * @param limit its name
   * @param answer short or risk
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Said(String limit, @JsonProperty("verdict") Row.Answer answer, @Nullable Long needed, @Nullable Long present) {
    /** What a row of the doctor said. */
    public static Said of(Row row) {
      return new Said(row.limit(), row.answer(), row.needed(), row.present());
    }
  }

  /**
   * A count.
   *
   * @param before when the server was ready and nothing was connected
   * @param after when the load was over
   * @param most that was sampled
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Count(@Nullable Long before, @Nullable Long after, long most) {}
}
