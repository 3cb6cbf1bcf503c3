package echoladder.harness.verdict;

import echoladder.client.Doubt;
import echoladder.harness.lab.Claim;
import echoladder.harness.lab.LabMark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What speaks against a rung, parted by whether it touches anything that the rung may be quoted for. A late send or a busy
 * host spoils times; in a lab no time may be quoted anyway, and bytes and limits hold all the same.
 *
 * @param counting makes the rung invalid
 * @param aside is in the record and the report, and makes nothing invalid
 */
public record SetAside(List<Doubt> counting, List<Doubt> aside) {
  public SetAside {
    counting = List.copyOf(counting);
    aside = List.copyOf(aside);
  }

  /** Parts them; {@code lab} is where the run is made, null = in none, and then everything counts. */
  public static SetAside of(List<Doubt> doubts, @Nullable LabMark lab) {
    if (LabMark.mayClaim(lab, Claim.TIMES)) {
      return new SetAside(doubts, List.of());
    }
    return new SetAside(
        doubts.stream().filter(doubt -> !doubt.reason().ofTimeAlone()).toList(),
        doubts.stream().filter(doubt -> doubt.reason().ofTimeAlone()).toList());
  }
}
