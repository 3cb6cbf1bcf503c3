package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.common.Units;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The network between client and server that a run makes: a cable between two network namespaces, with netem at both ends. Every value
 * has its range in docs/study.schema.json.
 *
 * @param delayNs added to a round trip: each direction has half of it
 * @param jitterNs by which a round trip is up to so much longer or shorter, evenly spread: each direction has half of it; with jitter and
 *     no rate, packets overtake one another
 * @param lossShare part of the packets of each direction that is lost, each by itself, 0 to 1
 * @param bitsPerS what each direction carries; null = no bound
 * @param reorderShare part of the packets of each direction that is sent at once, ahead of those that wait for their delay, 0 to 1
 * @param mtuBytes the largest packet
 * @param cut how connections stand when the link is cut, after the load; null = it is not cut
 * @param cutMostNs how long the link stays cut at most; null where it is not cut
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Network(
    long delayNs,
    long jitterNs,
    @Key("loss") double lossShare,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Key("rate") @Nullable Double bitsPerS,
    @Key("reorder") double reorderShare,
    int mtuBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Cut cut,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long cutMostNs) {
  /** How connections stand when their link is cut. */
  public enum Cut {
    /** Nothing is on the way. */
    IDLE,
    /** The server has sent each an answer that no acknowledgement will come for. */
    OWED
  }

  private static final double PERCENT = 100;

  public Network {
    cutMostNs = cut == null ? null : cutMostNs;
  }

  /** A network whose link stays whole. */
  public Network(long delayNs, long jitterNs, double lossShare, @Nullable Double bitsPerS, double reorderShare, int mtuBytes) {
    this(delayNs, jitterNs, lossShare, bitsPerS, reorderShare, mtuBytes, null, null);
  }

  /** In words, for tables: a delay first, what is not asked for not at all. */
  public String words() {
    StringBuilder words = new StringBuilder("network of ").append(delayNs == 0 ? "no delay" : Units.time(delayNs));
    if (jitterNs > 0) {
      words.append(" ± ").append(Units.time(jitterNs));
    }
    if (lossShare > 0) {
      words.append(", loss ").append(percent(lossShare));
    }
    if (bitsPerS != null) {
      words.append(", ").append(Units.plain(bitsPerS / 1e6)).append(" Mbit/s");
    }
    if (reorderShare > 0) {
      words.append(", reorder ").append(percent(reorderShare));
    }
    words.append(", MTU ").append(mtuBytes);
    if (cut != null) {
      words.append(", cut after the load (").append(cut.name().toLowerCase(Locale.ROOT)).append(")");
    }
    return words.toString();
  }

  /** A share as a study writes it, e.g. {@code 0.1%}. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.7f", share * PERCENT).replaceAll("\\.?0+$", "") + "%";
  }
}
