package echoladder.harness.profile;

import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.harness.results.ProfileRecord.Count;
import echoladder.harness.results.ProfileRecord.Watched;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Profile;
import echoladder.linux.ErrorText;
import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Watches the server of one rung from the beginning of its steady state to its end. It begins when it is told of that, so its
 * window is shorter by the time that perf takes to find the server's threads.
 */
public final class Profiler implements AutoCloseable {
  private static final Duration SCRIPT_BOUND = Duration.ofMinutes(2);

  private final Profile.Kind kind;
  private final List<String> wrapper;
  private final @Nullable SymbolsOfJvm symbols;
  private final OwnedFolder folder;
  private final Path out;
  private volatile @Nullable FutureTask<PerfWindow> window;

  /**
   * Watches nobody yet.
   *
   * @param wrapper what perf's command begins with, as it must not run on the server's processors
   * @param symbols names what a JVM has compiled; null = the server runs on none
   * @throws IOException where no file can be made for what perf writes
   */
  public Profiler(Profile.Kind kind, List<String> wrapper, @Nullable SymbolsOfJvm symbols) throws IOException {
    this.kind = kind;
    this.symbols = kind == Profile.Kind.CPU ? symbols : null;
    this.wrapper = List.copyOf(wrapper);
    folder = OwnedFolder.temporary("profile");
    out = folder.dir().resolve("perf.out");
  }

  /** The server with that process is about to enter a phase: ends what that phase does not belong to. */
  public void leaving(Phase next, long pid) {
    if (next == Phase.DRAIN) {
      end();
    }
    if (next == Phase.HOLD && symbols != null) {
      symbols.write(pid);
    }
  }

  /** The server with that process has entered a phase: its steady state is watched. */
  public void entered(Phase now, long pid) {
    if (now == Phase.STEADY) {
      begin(pid);
    }
  }

  /** By a thread of its own: who tells of phases is not held up. */
  private void begin(long pid) {
    FutureTask<PerfWindow> opening = new FutureTask<>(() -> PerfWindow.open(Perf.watching(kind, wrapper, pid, out)));
    window = opening;
    Thread.ofPlatform().daemon().name("profiler").start(opening);
  }

  private void end() {
    PerfWindow open = opened();
    if (open != null) {
      open.end();
    }
  }

  private @Nullable PerfWindow opened() {
    FutureTask<PerfWindow> opening = window;
    try {
      return opening == null || !opening.isDone() ? null : opening.get();
    } catch (ExecutionException e) {
      return null; // Said where the record is made.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * What it saw of a rung that is over, or why nothing.
   *
   * @param run where stacks are kept
   * @param stem of the names of the rung's files
   */
  public ProfileRecord record(RungRecord rung, RunFolder run, String stem) {
    LoadResult load = rung.load();
    FutureTask<PerfWindow> opening = window;
    if (load == null || opening == null) {
      return new ProfileRecord(kind, rung, null, "the rung did not come to its steady state");
    }
    try {
      PerfWindow watched = opening.get();
      if (!watched.ended()) {
        watched.end();
        return new ProfileRecord(kind, rung, null, "perf did not watch to the end of the steady state, or was not ready by then");
      }
      double seconds = watched.seconds();
      double echoes = seconds * load.pace().achievedPerS();
      if (echoes < 1) {
        return new ProfileRecord(kind, rung, null, "there was no echo while perf watched");
      }
      String stacks = kind == Profile.Kind.CPU ? stem + RunFolder.STACKS : null;
      if (stacks != null) {
        run.replace(stacks, Stacks.text(stacks()));
      }
      return new ProfileRecord(kind, rung, new Watched(seconds, echoes, counts(echoes), stacks), null);
    } catch (IOException | IllegalArgumentException e) {
      return new ProfileRecord(kind, rung, null, e.getMessage());
    } catch (ExecutionException e) {
      return new ProfileRecord(kind, rung, null, "perf could not be started: " + ErrorText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ProfileRecord(kind, rung, null, "interrupted while perf added up");
    }
  }

  private Map<String, Long> stacks() throws IOException {
    Perf.Ran script = Perf.run(List.of("perf", "script", "--no-inline", "-F", "comm,ip,sym,dso", "-i", out.toString()), SCRIPT_BOUND);
    if (!script.ending().isEmpty()) {
      throw new IOException("perf script: " + script.ending());
    }
    Map<String, Long> stacks = Stacks.folded(script.out());
    if (stacks.isEmpty()) {
      throw new IOException("perf took no sample of the server");
    }
    return stacks;
  }

  private List<Count> counts(double echoes) throws IOException {
    if (kind == Profile.Kind.CPU) {
      return List.of();
    }
    Map<String, Double> counted = EventCounts.parse(Files.readString(out));
    if (kind == Profile.Kind.SYSCALLS) {
      return SystemCallCounters.counts(counted, echoes);
    }
    List<Count> counts = new ArrayList<>();
    counted.forEach((name, value) -> counts.add(new Count(name, value / echoes, null)));
    return counts;
  }

  /** Ends perf where it still runs, and removes what it wrote. */
  @Override
  public void close() {
    PerfWindow open = opened();
    if (open != null) {
      open.close();
    }
    if (symbols != null) {
      symbols.close();
    }
    folder.close();
  }
}
