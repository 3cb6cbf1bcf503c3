package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The settings of the profiles that there are once per host, on the host of this test: each made one higher, for some
 * milliseconds, and put back.
 */
@Isolated("it changes settings of the host")
@Needs(Need.HOST_SETTINGS)
final class TuningHostTest {
  private static final Path ROOT = Path.of("/proc/sys");

  /** Stands for whatever ends a process between two steps. */
  private static final class Cut extends Error {
    private static final long serialVersionUID = 1;
  }

  @TempDir private Path journals = Path.of("");

  private final SysTree tree = SysTree.at(ROOT);
  private final Map<String, String> before = new LinkedHashMap<>();

  private static Path file(String key) {
    return ROOT.resolve(key.replace('.', '/'));
  }

  @BeforeEach
  void see() throws IOException {
    Path home = Path.of("..").toAbsolutePath().normalize();
    for (Knob knob : SettingsProfile.find(new Checkout(home), "1m").knobs()) {
      String key = knob.key();
      String present = tree.read(key);
      if (Scope.of(key) == Scope.HOST && present != null && present.matches("\\d{1,9}")) {
        assertThat(file(key)).isWritable();
        before.put(key, present);
      }
    }
    assertThat(before).hasSizeGreaterThanOrEqualTo(3);
  }

  @AfterEach
  void putBack() throws IOException {
    for (Map.Entry<String, String> old : before.entrySet()) {
      if (!old.getValue().equals(tree.read(old.getKey()))) {
        tree.write(old.getKey(), old.getValue());
      }
    }
  }

  private Map<String, String> values() throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : before.keySet()) {
      values.put(key, Objects.requireNonNull(tree.read(key)));
    }
    return values;
  }

  /** The kernel makes conntrack's table in whole pages of buckets; of all others it takes any number. */
  private static String raised(Map.Entry<String, String> old) {
    return Long.toString(Long.parseLong(old.getValue()) + (old.getKey().endsWith("nf_conntrack_buckets") ? 512 : 1));
  }

  private SettingsProfile profile() {
    return SettingsProfile.parse(
        before.entrySet().stream()
            .map(old -> old.getKey() + " = " + raised(old) + "\n")
            .collect(Collectors.joining()),
        "host",
        "host.conf");
  }

  private boolean cutOffAt(int step) {
    int[] left = {step};
    try {
      new Tuning(tree, new StateFolder(journals, null), JournalName.Whose.USERS, (_, _) -> {
        if (left[0]-- == 0) {
          throw new Cut();
        }
      }).apply(profile(), true);
      return false;
    } catch (Cut cut) {
      return true;
    }
  }

  @Test
  void everySettingOfTheHostComesBack() throws IOException {
    Tuning tuning = new Tuning(tree, new StateFolder(journals, null));
    tuning.apply(profile(), false);
    assertThat(values()).isEqualTo(
        before.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, TuningHostTest::raised)));
    assertThat(tuning.restore(null, false).failed()).isEmpty();
    assertThat(values()).isEqualTo(before);
  }

  @Test
  void alsoWhenItWasCutOffAtAnyStep() throws IOException {
    int step = 0;
    while (cutOffAt(step)) {
      assertThat(new Tuning(tree, new StateFolder(journals, null)).restore(null, false).failed()).isEmpty();
      assertThat(values()).as("cut off at step %d", step).isEqualTo(before);
      step++;
    }
    // Three steps per setting: before its journal, before its change, after it.
    assertThat(step).isEqualTo(3 * before.size());
    assertThat(new Tuning(tree, new StateFolder(journals, null)).restore(null, false).failed()).isEmpty();
    assertThat(values()).isEqualTo(before);
  }
}
