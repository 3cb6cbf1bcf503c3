package echoladder.harness.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the doctor found.
 *
 * @param question what was asked
 * @param reach the answer
 * @param connectionsNow that all limits allow as they are; Long.MAX_VALUE = any number
 * @param inTheWay what keeps the connections out of reach, as one sentence; null where they are in reach
 * @param answer the same in words, and what else there is to say
 * @param rows each limit
 * @param host what it was found on
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Examination(
    Question question,
    Reach reach,
    long connectionsNow,
    @Nullable String inTheWay,
    List<String> answer,
    List<Row> rows,
    HostFacts host) {

  /** Whether the connections can be held. */
  public enum Reach {
    @JsonProperty("in-reach")
    IN_REACH("in reach"),
    /** Not as the host is, but this process may lift every limit that is in the way. */
    @JsonProperty("after-lifting")
    AFTER_LIFTING("in reach after lifting what is short"),
    @JsonProperty("out-of-reach")
    OUT_OF_REACH("out of reach");

    final String words;

    Reach(String words) {
      this.words = words;
    }
  }

  /**
   * The limits that it names: those that fall short, by how few connections they allow, then those that may hurt, by how
   * small a part of what is needed is there.
   */
  public List<Row> named() {
    Stream<Row> shorts =
        rows.stream()
            .filter(row -> row.answer() == Row.Answer.SHORT)
            .sorted(Comparator.comparingLong(row -> row.connections() == null ? Long.MAX_VALUE : row.connections()));
    Stream<Row> risks =
        rows.stream().filter(row -> row.answer() == Row.Answer.RISK).sorted(Comparator.comparingDouble(Examination::share));
    return Stream.concat(shorts, risks).toList();
  }

  private static double share(Row row) {
    Long present = row.present();
    Long needed = row.needed();
    return present == null || needed == null || needed == 0 ? 1 : (double) present / needed;
  }

  public Examination {
    answer = List.copyOf(answer);
    rows = List.copyOf(rows);
  }
}
