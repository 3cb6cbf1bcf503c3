package echoladder.harness.judgement;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reasons against a rung in two parts: those that its verdict follows from, and all others. Noise marks figures and makes no rung
 * invalid. So what was only late counts for nothing where others took the CPU that client and server needed. In a lab nobody may
 * quote a time, so what spoils times alone counts for nothing there: bytes and limits hold.
 *
 * @param counting makes the rung invalid
 * @param aside is in the record and the report, and makes nothing invalid
 */
public record QuotableReasons(List<Reason> counting, List<Reason> aside) {
  /** What others cause by taking CPU, of a load of which every message was answered in the end. */
  private static final Set<ReasonCode> LATE =
      Set.of(ReasonCode.LATE_SENDS, ReasonCode.OFFERED_RATE_NOT_REACHED, ReasonCode.RESPONSE_TIME_BEYOND_BOUND);

  public QuotableReasons {
    counting = List.copyOf(counting);
    aside = List.copyOf(aside);
  }

  /**
   * Parts them. Where no load got through at all, nothing of it is set aside: a server that nobody asked anything holds
   * any number of connections.
   *
   * @param lab where the run is made; null = in none: then noise is set aside, and beside foreign CPU what was only late
   */
  public static QuotableReasons of(List<Reason> doubts, LoadResult load, @Nullable LabMark lab) {
    boolean times = LabMark.mayClaim(lab, Quotable.TIMES);
    boolean none = load.messages().scheduled() == 0 || load.messages().answered() + load.messages().echoesInSteady() == 0;
    boolean late = doubts.stream().anyMatch(doubt -> doubt.reason() == ReasonCode.HOST_TOO_NOISY) && nothingLost(load);
    Map<Boolean, List<Reason>> aside =
        doubts.stream()
            .collect(
                Collectors.partitioningBy(
                    doubt ->
                        (times ? doubt.reason().noise() || (late && LATE.contains(doubt.reason())) : doubt.reason().ofTimeAlone())
                            && !(none && doubt.reason() == ReasonCode.OFFERED_RATE_NOT_REACHED)));
    return new QuotableReasons(aside.getOrDefault(false, List.of()), aside.getOrDefault(true, List.of()));
  }

  /** Whether every message was answered and every replacement made, if perhaps late. */
  private static boolean nothingLost(LoadResult load) {
    Long churnFailed = load.crowd().churnFailed();
    return load.messages().unanswered() == 0 && load.messages().failed() == 0 && (churnFailed == null || churnFailed == 0);
  }
}
