package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.probe.HostLook;
import echoladder.harness.results.Attempt.Waited;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for looks that are told it; the last one stays. */
@Timeout(60)
class QuietWaitTest {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final HostLook QUIET = new HostLook(0.03, 0.01);
  private static final HostLook STOLEN = new HostLook(0.2, 0.002);
  private static final HostLook GAPS = new HostLook(0.0, 0.011);

  private final StopSignal stop = new StopSignal();
  private final List<String> said = new ArrayList<>();

  private static QuietWait wait(Duration most, HostLook... looks) {
    Deque<HostLook> left = new ArrayDeque<>(Arrays.asList(looks));
    return new QuietWait(most, PAUSE, 0.03, _ -> left.size() > 1 ? left.poll() : left.peek());
  }

  private @Nullable Waited before(QuietWait wait) {
    return wait.before(stop, (why, left) -> said.add(why));
  }

  @Test
  void aQuietHostIsNotWaitedFor() {
    assertThat(before(wait(Duration.ofHours(1), QUIET))).isEqualTo(new Waited(0, true, 0.03, 0.01));
    assertThat(said).isEmpty();
    assertThat(before(wait(Duration.ofHours(1), new HostLook(null, 0)))).isEqualTo(new Waited(0, true, null, 0));
    assertThat(QuietWait.of(null, 0.03, null)).isNull();
  }

  @Test
  void waitsUntilNeitherStealNorGapsAreBeyondTheirBound() {
    Waited waited = Objects.requireNonNull(before(wait(Duration.ofHours(1), STOLEN, GAPS, QUIET)));
    assertThat(waited.quiet()).isTrue();
    assertThat(waited.seconds()).isGreaterThanOrEqualTo(0.04);
    assertThat(said)
        .containsExactly(
            "waits for a quiet host: the hypervisor took 20.0 % of its CPU (at most 3.0 %), gaps over 1 ms took 0.2 % of the time (at most 1.0 %)",
            "waits for a quiet host: the hypervisor took 0.0 % of its CPU (at most 3.0 %), gaps over 1 ms took 1.1 % of the time (at most 1.0 %)");
  }

  @Test
  void ofSeveralHostsTheNoisiestIsNamed() {
    HostLook stolen = STOLEN.of("c1");
    HostLook gaps = GAPS.of("c2");
    assertThat(QuietWait.noisiest(List.of(QUIET.of("s1"), stolen, gaps), 0.03)).isEqualTo(stolen);
    assertThat(QuietWait.noisiest(List.of(new HostLook(null, 0).of("s1"), gaps), 0.03)).isEqualTo(gaps);
    assertThat(QuietWait.noisiest(List.of(new HostLook(0.0, 0).of("s1"), new HostLook(0.001, 0).of("c1")), 0)).isEqualTo(new HostLook(0.001, 0, "c1"));
    assertThat(QuietWait.noisiest(List.of(), 0.03)).isNull();
    before(wait(Duration.ofHours(1), stolen, QUIET));
    assertThat(said).singleElement().asString().startsWith("waits for a quiet host: on c1 the hypervisor took 20.0 % of its CPU");
  }

  @Test
  void theTimeIsThatOfAllRungsTogether() {
    QuietWait wait = wait(Duration.ofMillis(60), STOLEN);
    Waited first = Objects.requireNonNull(before(wait));
    assertThat(first.quiet()).isFalse();
    assertThat(first.stealShare()).isEqualTo(0.2);
    assertThat(first.seconds()).isGreaterThanOrEqualTo(0.06);
    assertThat(said).isNotEmpty();
    said.clear();
    assertThat(before(wait)).as("nothing is left").isEqualTo(new Waited(0, false, 0.2, 0.002));
    assertThat(said).isEmpty();
  }

  @Test
  void aStopEndsIt() {
    QuietWait wait = new QuietWait(Duration.ofHours(1), Duration.ofHours(1), 0.03, _ -> STOLEN);
    assertThat(wait.before(stop, (why, left) -> stop.request())).isNull();
  }

  @Test
  void aStopCutsALook() {
    List<Boolean> cut = new ArrayList<>();
    QuietWait wait =
        new QuietWait(
            Duration.ofHours(1), Duration.ofHours(1), 0.03,
            flag -> {
              cut.add(flag.get());
              stop.request();
              cut.add(flag.get());
              return QUIET;
            });
    assertThat(before(wait)).isNull();
    assertThat(cut).containsExactly(false, true);
  }

  /** The real look ends at once when it is cut: its process spins no further. */
  @Test
  void theRealLookIsCut() {
    long start = System.nanoTime();
    assertThat(HostLook.now(new AtomicBoolean(true))).isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }
}
