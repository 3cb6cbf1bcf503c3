package echoladder.harness.minimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.minimal.MinimalSet.Answer;
import echoladder.harness.minimal.MinimalSet.Found;
import echoladder.harness.minimal.MinimalSet.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delta debugging against oracles that are made up. */
final class MinimalSetTest {
  private final List<List<Character>> asked = new ArrayList<>();
  private final List<List<Character>> shrunk = new ArrayList<>();

  private static List<Character> set(String text) {
    return text.chars().mapToObj(c -> (char) c).toList();
  }

  private Found<Character> answered(String whole, MinimalSet.Oracle<Character> oracle) {
    return new MinimalSet<Character>(
            set -> {
              asked.add(set);
              return oracle.ask(set);
            },
            shrunk::add)
        .of(set(whole));
  }

  private Found<Character> search(String whole, Predicate<Set<Character>> holds) {
    return answered(whole, set -> holds.test(new HashSet<>(set)) ? Answer.HOLDS : Answer.FAILS);
  }

  @ParameterizedTest
  @CsvSource({
    "abcdefgh,c", "abcdefgh,ah", "abcdefgh,abc", "abcdefgh,bdfh", "abcdefgh,abcdefgh", "abc,abc", "ab,b", "a,a",
    "abcdefghijklmnopqrst,ejo"
  })
  void whatIsNeededIsFoundWhereTheRestDoesNotMatter(String whole, String needed) {
    Found<Character> found = search(whole, set -> set.containsAll(set(needed)));
    assertThat(found.outcome()).isEqualTo(Outcome.MINIMAL);
    assertThat(found.needed()).isEqualTo(set(needed));
    assertThat(found.unknown()).isEmpty();
    assertThat(found.sets()).isEqualTo(asked.size());
  }

  @Test
  void nothingIsNeededWhereTheEmptySetHoldsAndNothingElseIsAsked() {
    assertThat(search("abcd", _ -> true)).isEqualTo(new Found<Character>(Outcome.NOTHING_NEEDED, List.of(), List.of(), 1));
    assertThat(asked).containsExactly(List.of());
  }

  @Test
  void aWholeThatDoesNotHoldIsSaidAndNotSearched() {
    Found<Character> found = search("abcd", _ -> false);
    assertThat(found.outcome()).isEqualTo(Outcome.NOT_HELD);
    assertThat(found.needed()).isEqualTo(set("abcd"));
    assertThat(asked).containsExactly(List.of(), set("abcd"));
    assertThat(search("", _ -> false).outcome()).isEqualTo(Outcome.NOT_HELD);
  }

  /** Either of two settings will do, or one works only with another: what is left holds, and less of it does not. */
  @Test
  void ofSettingsThatStandInForOneAnotherOneIsLeft() {
    Found<Character> found = search("abcdef", set -> set.contains('a') && (set.contains('c') || set.contains('e')));
    assertThat(found.needed()).hasSize(2).contains('a').containsAnyOf('c', 'e');
    Found<Character> both = search("abcdef", set -> set.containsAll(set("be")) || set.containsAll(set("acd")));
    assertThat(both.needed()).isIn(set("be"), set("acd"));
  }

  /** One setting hurts unless another goes with it, so that more is not always better. */
  @Test
  void aSettingThatHurtsWithoutAnotherIsTakenAwayWithIt() {
    Found<Character> found = search("abcd", set -> set.contains('a') && (!set.contains('b') || set.contains('c')));
    assertThat(found.needed()).isEqualTo(set("a"));
  }

  /** For any oracle, monotone or not, the result holds, and no result less one member does. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void theResultOfAnyOracleIsOneMinimal(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Set<Character>, Boolean> drawn = new HashMap<>();
    Predicate<Set<Character>> oracle =
        set -> set.size() == 9 || (!set.isEmpty() && drawn.computeIfAbsent(Set.copyOf(set), _ -> random.nextInt(4) == 0));
    List<Character> needed = search("abcdefghi", oracle).needed();
    assertThat(oracle.test(new HashSet<>(needed))).isTrue();
    for (Character one : needed) {
      Set<Character> less = new HashSet<>(needed);
      less.remove(one);
      assertThat(oracle.test(less)).as(needed + " without " + one).isFalse();
    }
    assertThat(shrunk).isNotNull();
  }

  @Test
  void noSetIsAskedAboutTwiceAndNoneTwiceTheSize() {
    Found<Character> found = search("abcdefghijkl", set -> set.containsAll(set("bgk")));
    assertThat(asked).doesNotHaveDuplicates();
    assertThat(asked.size()).isLessThan(12 * 12);
    assertThat(found.sets()).isEqualTo(asked.size());
    assertThat(shrunk).isNotEmpty();
    assertThat(shrunk.getLast()).isEqualTo(set("bgk"));
    for (int i = 1; i < shrunk.size(); i++) {
      assertThat(shrunk.get(i).size()).isLessThan(shrunk.get(i - 1).size());
      assertThat(shrunk.get(i - 1)).containsAll(shrunk.get(i));
    }
  }

  /** A try that says nothing is made again; where it never says anything, its member stays, and that is said. */
  @Test
  void anUndecidedSetIsAskedAgainAndThenSaid() {
    Map<Set<Character>, Integer> times = new HashMap<>();
    Found<Character> once =
        answered(
            "abc",
            set -> {
              int n = times.merge(Set.copyOf(set), 1, Integer::sum);
              return n < 2 ? Answer.UNDECIDED : set.contains('b') ? Answer.HOLDS : Answer.FAILS;
            });
    assertThat(once.outcome()).isEqualTo(Outcome.MINIMAL);
    assertThat(once.needed()).isEqualTo(set("b"));
    assertThat(once.unknown()).isEmpty();
    assertThat(times.values()).allMatch(n -> n == 2);

    asked.clear();
    Found<Character> never =
        answered(
            "abcd",
            set ->
                !set.contains('b')
                    ? Answer.FAILS
                    : set.contains('d') ? Answer.HOLDS : Answer.UNDECIDED);
    assertThat(never.needed()).isEqualTo(set("bd"));
    assertThat(never.unknown()).isEqualTo(set("d"));
    assertThat(asked.stream().filter(set -> set.equals(set("b")))).hasSize(MinimalSet.MOST_ASKED);
  }

  @Test
  void aWholeThatIsNeverDecidedEndsTheSearch() {
    Found<Character> found = answered("ab", set -> set.isEmpty() ? Answer.FAILS : Answer.UNDECIDED);
    assertThat(found.outcome()).isEqualTo(Outcome.UNDECIDED);
    assertThat(asked).hasSize(1 + MinimalSet.MOST_ASKED);
  }

  @Test
  void whatTheOracleThrowsEndsTheSearch() {
    assertThatThrownBy(
            () ->
                answered(
                    "ab",
                    _ -> {
                      throw new IllegalStateException("stopped");
                    }))
        .hasMessage("stopped");
    assertThat(asked).hasSize(1);
  }
}
