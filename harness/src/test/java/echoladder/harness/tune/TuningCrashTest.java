package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is applied and wherever it is cut off: after a restore that is let finish, all is as it was. */
final class TuningCrashTest {
  private static final int SEQUENCES = 100;

  private static final Set<Step> CRASHED_AT = EnumSet.noneOf(Step.class);

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
      @Nullable Path[] refused = {null};
      Tuning tuning =
          new Tuning(
              sys.tree("net:[1]"),
              new StateFolder(state, null),
              JournalName.Whose.USERS,
              (step, key) -> {
                if (step == Step.BEFORE_CHANGE) {
                  assertThat(journalled(state, key)).as("the old value of %s is on the disk before its change", key).isTrue();
                  if (random.nextInt(20) == 0) {
                    refused[0] = refuse(sys, key);
                  }
                } else if (step == Step.BEFORE_UNDO) {
                  accept(refused);
                }
                if (left[0]-- == 0) {
                  CRASHED_AT.add(step);
                  tear(step, key, state, random);
                  throw new Crash();
                }
              });
      try {
        if (random.nextInt(4) == 0) {
          tuning.restore(null, false);
          assertThat(sys.values()).isEqualTo(FakeSys.DEFAULTS);
        } else {
          tuning.apply(anyProfile(random), random.nextBoolean());
        }
      } catch (Crash e) {
        crashes++;
      } catch (Refusal e) {
        assertThat(e).hasMessageContaining("what was set before it has been put back");
      } finally {
        accept(refused);
      }
    }
    new Tuning(sys.tree("net:[1]"), new StateFolder(state, null)).restore(null, false);
    assertThat(sys.values()).as("after %d operations, %d of them cut off", operations, crashes).isEqualTo(FakeSys.DEFAULTS);
  }

  /** Otherwise the sequences would not be what they are said to be. */
  @AfterAll
  static void wasCutOffEverywhere() {
    assertThat(CRASHED_AT).containsExactlyInAnyOrder(Step.values());
  }

  private static boolean journalled(Path state, String key) {
    try (Stream<Path> files = Files.list(state)) {
      return files.filter(f -> f.toString().endsWith(".jsonl")).anyMatch(f -> read(f).contains("{\"key\":\"" + key + "\""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has a setting refuse to be written: a folder stands in its place, and its file beside it. */
  private static Path refuse(FakeSys sys, String key) {
    Path file = sys.root.resolve(key.replace('.', '/'));
    try {
      Files.move(file, file.resolveSibling(file.getFileName() + ".kept"));
      return Files.createDirectory(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void accept(@Nullable Path[] refused) {
    Path file = refused[0];
    if (file != null) {
      try {
        Files.delete(file);
        Files.move(file.resolveSibling(file.getFileName() + ".kept"), file);
        refused[0] = null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
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
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static SettingsProfile anyProfile(RandomGenerator random) {
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
    return SettingsProfile.parse(text.append("vm.max_map_count = 70000\n".repeat(text.indexOf("vm.") < 0 ? 1 : 0)).toString(), "p", "p");
  }
}
