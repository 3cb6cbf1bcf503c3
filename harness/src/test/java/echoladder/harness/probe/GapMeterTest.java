package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The arithmetic of gaps, and that each processor is looked at. */
class GapMeterTest {
  private static final long US = 1_000;
  private static final String SCHED_IDLE = "5";

  @Test
  void aGapCountsAtEveryStepThatItIsLongerThan() {
    Gaps.Count count = new Gaps.Count();
    count.add(20 * US);
    count.add(30 * US);
    count.add(1_500 * US);
    Gaps gaps = count.of(3, 10_000 * US);
    assertThat(gaps.cpu()).isEqualTo(3);
    assertThat(gaps.longestNs()).isEqualTo(1_500 * US);
    List<Double> shares = gaps.shares();
    assertThat(shares).hasSameSizeAs(Gaps.STEPS_NS);
    assertThat(shares.getFirst()).as("over 20 us; 20 us is not").isCloseTo(0.153, within(1e-9));
    assertThat(shares.get(1)).as("over 50 us").isCloseTo(0.15, within(1e-9));
    assertThat(shares.get(5)).as("over 1 ms").isCloseTo(0.15, within(1e-9));
    assertThat(shares.get(6)).as("over 2 ms").isZero();
  }

  @Test
  void looksAtEveryProcessorAloneAndBesideFilledOnesAndAtAllTogether() throws Exception {
    CpuList cpus = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid()));
    JsonNode gaps = JsonMapper.shared().valueToTree(GapMeter.measure(cpus, Duration.ofMillis(50)));
    List<Integer> all = cpus.stream().boxed().toList();
    assertThat(gaps.get("together").valueStream().map(one -> one.get("cpu").intValue())).containsExactlyElementsOf(all);
    List<Integer> alone = gaps.get("alone").valueStream().map(one -> one.get("cpu").intValue()).toList();
    assertThat(alone).isSubsetOf(all).isNotEmpty();
    assertThat(gaps.get("others_filled").valueStream().map(one -> one.get("cpu").intValue())).containsExactlyElementsOf(alone);
    for (JsonNode one : gaps.get("together")) {
      double before = 1;
      for (JsonNode share : one.get("shares")) {
        assertThat(share.doubleValue()).isBetween(0.0, before);
        before = share.doubleValue();
      }
    }
  }

  private static Map<String, Object> found(double share) {
    List<Gaps> gaps = List.of(new Gaps(0, Collections.nCopies(Gaps.STEPS_NS.size(), share), US));
    return Map.of("alone", gaps, "others_filled", gaps, "together", gaps);
  }

  /** Seen right after a build: 4 % of the time went in gaps over 0.1 ms, and 0.3 % in the run that followed. */
  @Test
  void aDisturbedHostIsMeasuredOnceMoreAndTheSecondCountsWhateverItShows() throws Exception {
    List<String> said = new ArrayList<>();
    for (double second : new double[] {0.003, 0.2}) {
      Iterator<Map<String, Object>> next = List.of(found(0.042), found(second)).iterator();
      List<String> pauses = new ArrayList<>();
      assertThat(GapMeter.settled(next::next, () -> pauses.add("pause"), said::add))
          .containsAllEntriesOf(found(second)).containsEntry("excluded", found(0.042));
      assertThat(pauses).hasSize(1);
    }
    assertThat(said).hasSize(2).allMatch(text -> text.startsWith("gaps over 0.1 ms took 4.2"), "says what it saw");
    assertThat(GapMeter.settled(() -> found(0.009), () -> said.add("pause"), said::add)).isEqualTo(found(0.009));
    assertThat(said).hasSize(2);
  }

  @Test
  void aBusyHostIsToldWhatItDoesToTheFigures() {
    assertThat(GapMeter.busy(0.716))
        .isEqualTo(
            "this host is busy: gaps over 0.1 ms take 71.6 % of the time (at most 1.0 % on a quiet host). Times that such gaps may explain are"
                + " marked, and rates and CPU per echo may differ from those of a quiet host; connections and memory hold");
  }

  /** It is another process whose compilers keep off, and it is gone when it is cut. */
  @Test
  void theLaddersCompilersAreNoGapsOfTheHost() throws Exception {
    CpuList cpus = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid()));
    AtomicBoolean cut = new AtomicBoolean();
    CompletableFuture<List<Gaps>> gaps =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return GapMeter.together(cpus, Duration.ofHours(1), cut);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      Awaitility.await("its compiler is an idle thread").atMost(Duration.ofMinutes(1)).until(() -> policies().contains(SCHED_IDLE));
    } finally {
      cut.set(true);
    }
    assertThat(gaps.get(1, TimeUnit.MINUTES)).isEmpty();
    assertThat(meter()).isEmpty();
  }

  private static Optional<ProcessHandle> meter() {
    return ProcessHandle.current().children().filter(GapMeterTest::measures).findFirst();
  }

  private static boolean measures(ProcessHandle child) {
    return CommandLines.of(child).contains(GapProcess.class.getName());
  }

  /** Scheduling policies of the meter's compiler threads; empty before there are any. */
  private static List<String> policies() throws IOException {
    if (meter().isEmpty()) {
      return List.of();
    }
    List<String> policies = new ArrayList<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + meter().orElseThrow().pid() + "/task"))) {
      for (Path task : tasks) {
        String stat = Files.readString(task.resolve("stat"));
        if (stat.contains("(C1 Compiler")) {
          // Behind the name in brackets, field 2, comes field 3; the policy is field 41.
          policies.add(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[41 - 3]);
        }
      }
    }
    return policies;
  }

  @Test
  void aLookAtTheHostIsOfAllProcessors() {
    HostLook look = Objects.requireNonNull(HostLook.now(new AtomicBoolean()));
    assertThat(look.gapShare()).isBetween(0.0, 1.0);
    assertThat(look.stealShare()).isNotNull().isBetween(0.0, 1.0);
    assertThat(new Gaps(0, List.of(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1), 5).longerThan(HostLook.GAP_NS)).isEqualTo(0.4);
    assertThatThrownBy(() -> new Gaps(0, List.of(), 0).longerThan(7)).isInstanceOf(IllegalArgumentException.class);
  }
}
