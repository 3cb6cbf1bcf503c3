package echoladder.harness.minimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.minimal.MinimalSet.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tries of one question in their file. */
final class TryLogTest {
  @TempDir private Path dir;

  private static Tried tried(Answer answer, String... with) {
    return new Tried(List.of(with), answer, 248L, answer == Answer.FAILS ? "port tuples" : null, "EADDRNOTAVAIL", "runs/1", 2.5);
  }

  @Test
  void whatWasTriedIsThereAgainWhateverTheOrderOfTheSet() {
    try (TryLog log = TryLog.open(dir.resolve("new/one"))) {
      log.add(tried(Answer.FAILS, "a", "b"));
      log.add(tried(Answer.UNDECIDED, "a"));
    }
    try (TryLog log = TryLog.open(dir.resolve("new/one"))) {
      assertThat(log.decided(List.of("b", "a"))).contains(tried(Answer.FAILS, "a", "b"));
      assertThat(log.decided(List.of("a"))).as("undecided is asked again").isEmpty();
      assertThat(log.of(List.of("a"))).hasSize(1);
      log.add(tried(Answer.HOLDS, "a"));
      assertThat(log.decided(List.of("a"))).map(Tried::answer).contains(Answer.HOLDS);
      assertThat(log.all()).hasSize(3);
    }
  }

  /** A try that was undecided for another reason, as its client died, is no sight of that failure. */
  @Test
  void aFailureWithoutALimitCountsWhenItIsSeenTwice() {
    Tried nameless = new Tried(List.of("a"), Answer.FAILS, 248L, null, "ended", "runs/1", 2.5);
    try (TryLog log = TryLog.open(dir)) {
      log.add(tried(Answer.UNDECIDED, "a"));
      Tried first = log.counted(nameless);
      assertThat(first.answer()).isEqualTo(Answer.UNDECIDED);
      assertThat(first.reason()).isEqualTo("no limit was named, so it is tried again: ended");
      log.add(first);
      assertThat(log.counted(nameless)).isEqualTo(nameless);
      assertThat(log.counted(tried(Answer.FAILS, "b"))).isEqualTo(tried(Answer.FAILS, "b"));
    }
  }

  @Test
  void aLineThatAKillCutOffIsNoTry() throws Exception {
    try (TryLog log = TryLog.open(dir)) {
      log.add(tried(Answer.FAILS));
    }
    Files.writeString(dir.resolve(TryLog.NAME), "{\"with\":[\"a\"],\"answ", StandardOpenOption.APPEND);
    try (TryLog log = TryLog.open(dir)) {
      assertThat(log.all()).containsExactly(tried(Answer.FAILS));
      log.add(tried(Answer.HOLDS, "a"));
    }
    try (TryLog log = TryLog.open(dir)) {
      assertThat(log.all()).containsExactly(tried(Answer.FAILS), tried(Answer.HOLDS, "a"));
    }
  }

  @Test
  void oneProcessHasItAtATimeAndAForeignFileIsRefused() throws Exception {
    try (TryLog _ = TryLog.open(dir)) {
      assertThatThrownBy(() -> TryLog.open(dir)).isInstanceOf(Refusal.class).hasMessageContaining("is at work in");
    }
    Files.writeString(dir.resolve(TryLog.NAME), "hello\n");
    assertThatThrownBy(() -> TryLog.open(dir)).isInstanceOf(Refusal.class).hasMessageContaining("cannot be read");
  }
}
