package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is applied and wherever it is cut off: after a restore that is let finish, all is as it was. */
final class TuningCrashTest {
  private static final int SEQUENCES = 100;

  /** Not an exception, so that nothing of the code under test runs after it. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  static List<Integer> seeds() {
    List<Integer> seeds = new ArrayList<>();
    for (int seed = 0; seed < SEQUENCES; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyKeyComesBack(int seed, @TempDir Path dir) {
    RandomGenerator random = new SplittableRandom(seed);
    FakeSys sys = new FakeSys(dir.resolve("sys"), "b001");
    Path state = dir.resolve("state");
    int crashes = 0;
    int operations = 1 + random.nextInt(6);
    for (int i = 0; i < operations; i++) {
      int[] left = {random.nextInt(30)};
      Tuning tuning =
          new Tuning(
              sys.tree("net:[1]"),
              state,
              (step, key) -> {
                if (left[0]-- == 0) {
                  tear(step, key, state, random);
                  throw new Crash();
                }
              });
      try {
        if (random.nextInt(4) == 0) {
          tuning.restore(null);
          assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
        } else {
          tuning.apply(anyProfile(random), random.nextBoolean());
        }
      } catch (Crash e) {
        crashes++;
      }
    }
    new Tuning(sys.tree("net:[1]"), state).restore(null);
    assertThat(sys.values()).as("after %d operations, %d of them cut off", operations, crashes).isEqualTo(FakeSys.DEFAULTS);
  }

  /** A crash while a line is written leaves any part of it. */
  private static void tear(Step step, String key, Path state, RandomGenerator random) {
    if (step == Step.BEFORE_JOURNAL && random.nextBoolean()) {
      Path file = state.resolve("tune-b001-" + (Scope.of(key) == Scope.HOST ? "host" : "net-1") + ".jsonl");
      String line = "{\"key\":\"" + key + "\",\"old\":\"1\",\"value\":\"2\",\"profile\":\"p\"}";
      try {
        Files.writeString(
            file,
            line.substring(0, random.nextInt(line.length() + 1)),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Profile anyProfile(RandomGenerator random) {
    List<String> keys = new ArrayList<>(FakeSys.DEFAULTS.keySet());
    Collections.sort(keys);
    StringBuilder text = new StringBuilder();
    for (String key : keys) {
      if (random.nextBoolean()) {
        int fields = String.valueOf(FakeSys.DEFAULTS.get(key)).split(" ", -1).length;
        text.append(key).append(" =");
        for (int f = 0; f < fields; f++) {
          text.append(' ').append(random.nextInt(1, 100_000));
        }
        text.append('\n');
      }
    }
    return Profile.parse(text.append("vm.max_map_count = 70000\n".repeat(text.indexOf("vm.") < 0 ? 1 : 0)).toString(), "p", "p");
  }
}
