package echoladder.harness.probe;

import echoladder.harness.common.Units;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.CpuAffinity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures how much time this host takes from a thread that wants all of a processor. A response time beyond such gaps may be the
 * host's. Three measurements tell who takes it. One processor at a time with the others idle shows the least. The same with the
 * others filled by threads that give way to everything shows what a hypervisor takes from a host that looks busy. All at once shows
 * in addition what other programs of this host take where no processor is left for them.
 */
public final class GapMeter {
  /** How long each measurement takes, in ms; 0 = none. For tests, which would otherwise wait for it at every run. */
  public static final String PROPERTY = "echoladder.gap-meter-ms";

  private static final long DEFAULT_MS = 2_000;
  /** One at a time on a host with many processors would take minutes. */
  private static final int ALONE_MOST = 4;
  /** Where more of the time goes in gaps over {@link #DISTURBED_BY_NS}, a p99 of a millisecond would be the host's alone. */
  private static final double DISTURBED_FROM = 0.01;

  private static final long DISTURBED_BY_NS = 100_000;
  /** In lengths of a measurement, 10 s: a build that has just ended leaves pages to write and memory to give back for some seconds. */
  private static final int PAUSE = 5;

  /** How soon a cut is seen. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private GapMeter() {}

  /**
   * What environment.json has of it; null where it is switched off, or where the processors cannot be told.
   *
   * @param progress is told beforehand how long it takes
   * @param trouble is told where it cannot be measured, and that the host is busy
   * @param remedy the end of the latter sentence: what to do
   */
  public static @Nullable Map<String, Object> read(Consumer<String> progress, Consumer<String> trouble, String remedy) {
    long ms = Long.getLong(PROPERTY, DEFAULT_MS);
    CpuList cpus = CpuAffinity.of(ProcessHandle.current().pid());
    if (ms <= 0 || cpus == null) {
      return null;
    }
    progress.accept(
        "looking for %.0f s at what this host takes from a busy thread".formatted((2 * alone(cpus).length + 1) * ms / 1e3));
    try {
      Map<String, Object> found = settled(() -> measure(cpus, Duration.ofMillis(ms)), () -> Thread.sleep(PAUSE * ms), progress);
      if (lost(found) > DISTURBED_FROM) {
        trouble.accept(busy(lost(found)) + "; " + remedy);
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (IOException e) {
      trouble.accept("what this host takes from a busy thread is not known: " + e.getMessage());
      return null;
    }
  }

  /** What is measured. */
  interface Measuring {
    Map<String, Object> once() throws IOException;
  }

  /** What is waited for. */
  interface Pausing {
    void once() throws InterruptedException;
  }

  /**
   * Measures, and once more after a pause where the host took more than {@link #DISTURBED_FROM} of the time from all at once. The
   * second counts, whatever it shows.
   */
  static Map<String, Object> settled(Measuring measuring, Pausing pause, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<String, Object> first = measuring.once();
    double lost = lost(first);
    if (lost <= DISTURBED_FROM) {
      return first;
    }
    progress.accept(
        "gaps over 0.1 ms took %s of the time (at most %s), as they do right after a build; looking again in a moment, once"
            .formatted(Units.percent(lost), Units.percent(DISTURBED_FROM)));
    pause.once();
    Map<String, Object> second = new LinkedHashMap<>(measuring.once());
    second.put("excluded", first);
    return second;
  }

  /** The part of the time that goes in gaps over {@link #DISTURBED_BY_NS} while every processor is used. */
  private static double lost(Map<String, Object> found) {
    return HostGaps.read(found).share(DISTURBED_BY_NS, 1, 1).orElse(0);
  }

  /** What such a host does to the figures. */
  static String busy(double lost) {
    return ("this host is busy: gaps over 0.1 ms take %s of the time (at most %s on a quiet host). Times that such gaps may explain are"
        + " marked, and rates and CPU per echo may differ from those of a quiet host; connections and memory hold")
        .formatted(Units.percent(lost), Units.percent(DISTURBED_FROM));
  }

  private static int[] alone(CpuList cpus) {
    int[] all = cpus.stream().toArray();
    int step = Math.ceilDiv(all.length, ALONE_MOST);
    return IntStream.range(0, all.length).filter(i -> i % step == 0).map(i -> all[i]).toArray();
  }

  static Map<String, Object> measure(CpuList cpus, Duration each) throws IOException {
    int[] singles = alone(cpus);
    List<Look> looks = new ArrayList<>();
    for (int cpu : singles) {
      looks.add(new Look(CpuList.of(cpu), CpuList.of()));
    }
    for (int cpu : singles) {
      looks.add(new Look(CpuList.of(cpu), cpus.without(CpuList.of(cpu))));
    }
    looks.add(new Look(cpus, CpuList.of()));
    List<List<Gaps>> found = measure(looks, each, new AtomicBoolean());
    Map<String, Object> gaps = new LinkedHashMap<>();
    gaps.put("seconds_each", each.toMillis() / 1e3);
    gaps.put("steps_ns", Gaps.STEPS_NS);
    gaps.put("alone", found.subList(0, singles.length).stream().flatMap(List::stream).toList());
    gaps.put("others_filled", found.subList(singles.length, 2 * singles.length).stream().flatMap(List::stream).toList());
    gaps.put("together", found.getLast());
    return gaps;
  }

  /**
   * Measures all these processors at one time; one on which no thread can be kept is left out.
   *
   * @param cut set = it ends at once and says nothing
   * @throws IOException where the process that measures cannot be started or fails
   */
  static List<Gaps> together(CpuList cpus, Duration each, AtomicBoolean cut) throws IOException {
    return measure(List.of(new Look(cpus, CpuList.of())), each, cut).getFirst();
  }

  /**
   * One measurement.
   *
   * @param measured these processors, at the same time
   * @param filled these have a thread that never sleeps and gives way to every other
   */
  record Look(CpuList measured, CpuList filled) {
    static Look parse(String text) {
      String[] both = text.split(":", -1);
      return new Look(CpuList.parse(both[0]), both.length == 1 ? CpuList.of() : CpuList.parse(both[1]));
    }

    @Override
    public String toString() {
      return filled.isEmpty() ? measured.toString() : measured + ":" + filled;
    }
  }

  private static List<List<Gaps>> measure(List<Look> looks, Duration each, AtomicBoolean cut) throws IOException {
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // The loop that measures is compiled at once and stays as it is.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            GapProcess.class.getName(),
            Long.toString(each.toNanos())));
    looks.forEach(look -> command.add(look.toString()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream failure = new ByteArrayOutputStream();
    try (HeadAndTail out = HeadAndTail.log(said);
        HeadAndTail err = HeadAndTail.log(failure);
        ChildProcess process = ChildProcess.start(new ProcessBuilder(command), out, err)) {
      while (!process.endsWithin(LOOK)) {
        if (cut.get()) {
          return looks.stream().map(look -> List.<Gaps>of()).toList();
        }
      }
      if (!process.drained() || process.status() == null || process.status() != 0) {
        throw new IOException("the process that measures " + process.ending() + ": " + failure.toString(StandardCharsets.UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the process measured", e);
    }
    return read(said.toString(StandardCharsets.UTF_8), looks.size());
  }

  /** A line per processor: the measurement from 1 on, the processor, the longest gap, the shares. */
  private static List<List<Gaps>> read(String text, int looks) {
    List<List<Gaps>> found = new ArrayList<>();
    for (int i = 0; i < looks; i++) {
      found.add(new ArrayList<>());
    }
    text.lines()
        .map(line -> line.split(" ", -1))
        .forEach(
            words ->
                found.get(Integer.parseInt(words[0]) - 1)
                    .add(
                        new Gaps(
                            Integer.parseInt(words[1]),
                            Stream.of(words).skip(3).map(Double::valueOf).toList(),
                            Long.parseLong(words[2]))));
    return found;
  }
}
