package echoladder.harness.minimal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds a smallest set by delta debugging: ddmin of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input" (2002), with "holds" in the place of "fails". What is left is 1-minimal: it holds, and without any one of its
 * members it does not. There may be another 1-minimal set where members stand in for one another. Each set is asked
 * about once, or until it is decided. Not thread safe.
 */
public final class MinimalSet<T> {
  /** How often a set is asked about that the oracle does not decide. */
  static final int MOST_ASKED = 3;

  private final Oracle<T> oracle;
  private final Consumer<List<T>> shrunk;
  private final Map<Set<T>, Answer> answers = new HashMap<>();

  /**
   * A search.
   *
   * @param oracle says of a set whether it holds
   * @param shrunk is told of each smaller set that holds
   */
  public MinimalSet(Oracle<T> oracle, Consumer<List<T>> shrunk) {
    this.oracle = oracle;
    this.shrunk = shrunk;
  }

  /** What is known of a set. */
  public enum Answer {
    HOLDS,
    FAILS,
    /** It was asked, and what came of it says nothing. */
    UNDECIDED
  }

  /** Says of a set whether it holds. Whatever it throws ends the search. */
  @FunctionalInterface
  public interface Oracle<T> {
    /** The set has no member twice, in the order of the whole. */
    Answer ask(List<T> set);
  }

  /** How a search ends. */
  public enum Outcome {
    /** The empty set holds. */
    NOTHING_NEEDED,
    /** What is left is 1-minimal, but for what is not known. */
    MINIMAL,
    /** The whole does not hold. */
    NOT_HELD,
    /** It could not be decided whether the whole holds. */
    UNDECIDED
  }

  /**
   * What was found.
   *
   * @param needed what is left; the whole where that does not hold
   * @param unknown those of them without which the set was not decided, so that they may not be needed
   * @param sets that were asked about
   */
  public record Found<T>(Outcome outcome, List<T> needed, List<T> unknown, int sets) {
    public Found {
      needed = List.copyOf(needed);
      unknown = List.copyOf(unknown);
    }
  }

  /** Searches; of {@code whole} no member stands there twice. */
  public Found<T> of(List<T> whole) {
    if (answer(List.of()) == Answer.HOLDS) {
      return found(Outcome.NOTHING_NEEDED, List.of(), List.of());
    }
    Answer all = answer(whole);
    if (all != Answer.HOLDS) {
      return found(all == Answer.FAILS ? Outcome.NOT_HELD : Outcome.UNDECIDED, whole, List.of());
    }
    List<T> left = List.copyOf(whole);
    int parts = 2;
    // Each round shrinks the set or makes the parts finer, so there are fewer than 2 x size of them.
    while (left.size() > 1) {
      List<List<T>> cut = cut(left, parts);
      List<T> part = firstThatHolds(cut);
      List<T> rest = part == null ? firstThatHolds(complements(left, cut)) : null;
      if (part != null) {
        left = part;
        parts = 2;
        shrunk.accept(left);
      } else if (rest != null) {
        left = rest;
        parts = Math.max(parts - 1, 2);
        shrunk.accept(left);
      } else if (parts < left.size()) {
        parts = Math.min(2 * parts, left.size());
      } else {
        break;
      }
    }
    List<T> needed = left;
    return found(
        Outcome.MINIMAL, needed, needed.stream().filter(one -> answer(without(needed, List.of(one))) == Answer.UNDECIDED).toList());
  }

  private Found<T> found(Outcome outcome, List<T> needed, List<T> unknown) {
    return new Found<>(outcome, needed, unknown, answers.size());
  }

  private @Nullable List<T> firstThatHolds(List<List<T>> sets) {
    for (List<T> set : sets) {
      if (answer(set) == Answer.HOLDS) {
        return set;
      }
    }
    return null;
  }

  private Answer answer(List<T> set) {
    Set<T> key = Set.copyOf(set);
    Answer answer = answers.get(key);
    for (int i = 0; i < MOST_ASKED && answer == null; i++) {
      Answer said = oracle.ask(set);
      answer = said == Answer.UNDECIDED && i + 1 < MOST_ASKED ? null : said;
    }
    Answer last = answer == null ? Answer.UNDECIDED : answer;
    answers.put(key, last);
    return last;
  }

  /** Into so many neighbours whose sizes differ by one at most; {@code parts} is from 1 to the size. */
  private static <T> List<List<T>> cut(List<T> set, int parts) {
    List<List<T>> cut = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      cut.add(set.subList(set.size() * i / parts, set.size() * (i + 1) / parts));
    }
    return cut;
  }

  private static <T> List<List<T>> complements(List<T> set, List<List<T>> cut) {
    return cut.stream().map(part -> without(set, part)).toList();
  }

  private static <T> List<T> without(List<T> set, List<T> part) {
    return set.stream().filter(one -> !part.contains(one)).toList();
  }
}
