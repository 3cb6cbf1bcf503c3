package echoladder.harness.capacity;

import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for the highest rate that is held: doubling, then bisection, then a longer try of the highest rate that was held.
 * The tries made so far are all of its state, so a search that was interrupted goes on from them. Pure.
 */
public final class RateSearch {
  /** A rate is tried as often, at most, for each length. */
  public static final int MOST_AT_ONE_RATE = 3;

  /** By how many times the try that confirms is longer than the others. */
  public static final int CONFIRMING_LENGTH = 3;

  private static final MathContext DIGITS = new MathContext(3);

  private final Limits limits;
  private final List<Try> tries;

  /** That of a server under a load at that many connections, with these tries so far. */
  public static RateSearch of(Study study, Study.Entry entry, int connections, List<Try> tries) {
    Capacity capacity = Objects.requireNonNull(study.capacity());
    double fromPerS = study.load(entry).totalPerS(connections);
    return new RateSearch(new Limits(fromPerS, capacity.mostPerS(), capacity.resolution(), capacity.tries()), tries);
  }

  /** A search with these tries so far, the first first. */
  public RateSearch(Limits limits, List<Try> tries) {
    this.limits = limits;
    this.tries = List.copyOf(tries);
  }

  /**
   * Where a search begins and ends.
   *
   * @param fromPerS the first rate, messages per second
   * @param mostPerS no rate above it is tried
   * @param resolution the interval's width that is aimed at, as a share of its lower end
   * @param tries most tries of the search
   */
  public record Limits(double fromPerS, double mostPerS, double resolution, int tries) {}

  /**
   * One try.
   *
   * @param length how many times the study's steady state it lasted: 1, or {@link #CONFIRMING_LENGTH}
   */
  public record Try(double ratePerS, int length, Outcome outcome) {}

  /** What comes next. */
  public sealed interface Step {}

  /**
   * Another try.
   *
   * @param repeat which try at that rate it is, whatever their lengths, from 1
   */
  public record Next(double ratePerS, int length, int repeat) implements Step {}

  /**
   * The end of the search. The answer lies between held and not held.
   *
   * @param heldPerS the highest rate that was held; null = none was
   * @param notHeldPerS the lowest rate above it that was shown not to be held; null = none was
   * @param undecidedPerS a rate between the two that ended the search undecided; null = none did
   * @param confirmed whether the longer try held it too
   * @param complete whether the search came to its end before its most tries
   */
  public record Answer(
      @Nullable Double heldPerS, @Nullable Double notHeldPerS, @Nullable Double undecidedPerS, boolean confirmed, boolean complete)
      implements Step {}

  private enum Finding {
    OPEN,
    HELD,
    NOT_HELD,
    UNDECIDED
  }

  /** What to do next, or the answer. */
  public Step step() {
    if (tries.isEmpty()) {
      return next(limits.fromPerS(), 1);
    }
    NavigableMap<Double, Finding> rates = findings(tries);
    Try last = tries.getLast();
    if (finding(tries, last.ratePerS(), last.length()) == Finding.OPEN) {
      return tries.size() >= limits.tries() ? answer(rates, tries, false) : next(last.ratePerS(), last.length());
    }
    Double ceiling = ceiling(rates);
    Double held = held(rates);
    if (held == null || confirmed(tries, held)) {
      // Confirmed, it was the last rate to be tried: the interval was narrow enough.
      return answer(rates, tries, true);
    }
    if (tries.size() >= limits.tries()) {
      return answer(rates, tries, false);
    }
    double wanted = ceiling == null ? Math.min(2 * held, limits.mostPerS()) : between(held, ceiling);
    return wanted > held && (ceiling == null || wanted < ceiling) ? next(wanted, 1) : next(held, CONFIRMING_LENGTH);
  }

  /** What tries show of a search that has not come to its end. */
  static Answer soFar(List<Try> tries) {
    return answer(findings(tries), tries, false);
  }

  /** What is known of each rate; the one whose tries go on is not among them, or as shorter tries found it. */
  private static NavigableMap<Double, Finding> findings(List<Try> tries) {
    NavigableMap<Double, Finding> rates = new TreeMap<>();
    for (Try one : tries) {
      Finding finding = finding(tries, one.ratePerS(), one.length());
      if (finding != Finding.OPEN) {
        // The longer tries come later and say more.
        rates.put(one.ratePerS(), finding);
      }
    }
    return rates;
  }

  /** The middle of an interval that is too wide; its lower end where the interval is narrow enough. */
  private double between(double held, double ceiling) {
    return ceiling / held - 1 <= limits.resolution() ? held : rounded((held + ceiling) / 2);
  }

  /** To three digits: a rate is a number that people read. */
  private static double rounded(double perS) {
    return new BigDecimal(perS).round(DIGITS).doubleValue();
  }

  private Next next(double perS, int length) {
    return new Next(perS, length, 1 + (int) tries.stream().filter(one -> one.ratePerS() == perS).count());
  }

  /** The lowest rate that was not shown to be held; null = every rate that was tried was. */
  private static @Nullable Double ceiling(NavigableMap<Double, Finding> rates) {
    return rates.entrySet().stream().filter(rate -> rate.getValue() != Finding.HELD).map(rate -> rate.getKey()).findFirst().orElse(null);
  }

  /** The highest rate below that. */
  private static @Nullable Double held(NavigableMap<Double, Finding> rates) {
    Double ceiling = ceiling(rates);
    return rates.isEmpty() ? null : ceiling == null ? rates.lastKey() : rates.lowerKey(ceiling);
  }

  private static boolean confirmed(List<Try> tries, double perS) {
    return finding(tries, perS, CONFIRMING_LENGTH) == Finding.HELD;
  }

  private static Answer answer(NavigableMap<Double, Finding> rates, List<Try> tries, boolean complete) {
    Double ceiling = ceiling(rates);
    Double held = held(rates);
    Double notHeld =
        rates.entrySet().stream().filter(rate -> rate.getValue() == Finding.NOT_HELD).map(rate -> rate.getKey()).findFirst().orElse(null);
    boolean undecided = ceiling != null && rates.get(ceiling) == Finding.UNDECIDED;
    return new Answer(held, notHeld, undecided ? ceiling : null, held != null && confirmed(tries, held), complete);
  }

  /** What the tries of one length at a rate show together. */
  private static Finding finding(List<Try> tries, double perS, int length) {
    List<Outcome> outcomes = new ArrayList<>();
    tries.stream().filter(one -> one.ratePerS() == perS && one.length() == length).forEach(one -> outcomes.add(one.outcome()));
    long held = count(outcomes, Outcome.HELD);
    long slow = count(outcomes, Outcome.TOO_SLOW);
    if (outcomes.contains(Outcome.LOST) || slow >= 2) {
      return Finding.NOT_HELD;
    }
    if (held >= 2 || (held == 1 && slow == 0)) {
      return Finding.HELD;
    }
    return outcomes.size() < MOST_AT_ONE_RATE ? Finding.OPEN : Finding.UNDECIDED;
  }

  private static long count(List<Outcome> outcomes, Outcome outcome) {
    return outcomes.stream().filter(outcome::equals).count();
  }
}
