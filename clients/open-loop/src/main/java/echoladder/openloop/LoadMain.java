package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.StagedFigures;
import echoladder.linux.ErrorText;
import echoladder.linux.output.TerminalStream;
import echoladder.openloop.command.Interruptible;
import echoladder.openloop.command.LoadEventLine;
import echoladder.openloop.command.LoadVerb;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.run.LoadEvents;
import echoladder.openloop.run.OpenLoopRun;
import echoladder.openloop.shard.Silence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/**
 * Main class of a client process, which loads on behalf of the process that started it: the plan is the first line of stdin, events go
 * to stdout as {@link LoadEventLine}, a second line releases the held connections, and the end of stdin stops the load, so that it
 * never outlives who asked for it. Without a plan it takes the options of {@link LoadVerb}.
 */
public final class LoadMain {
  /** Line on stdin that ends {@link echoladder.client.Phase#HOLD}. */
  static final String RELEASE = "release";

  private static final List<String> PLANNED = List.of("--plan", "-", "--histograms");

  private LoadMain() {}

  /** Arguments of a process that reads its plan from stdin and writes that interval log. */
  static List<String> planned(String histograms) {
    return List.of(PLANNED.get(0), PLANNED.get(1), PLANNED.get(2), histograms);
  }

  public static void main(String[] args) {
    // Names and messages of servers are in what it says; its stdout has figures, or JSON.
    System.setErr(TerminalStream.before(System.err));
    boolean planned = args.length == PLANNED.size() + 1 && List.of(args).subList(0, PLANNED.size()).equals(PLANNED);
    System.exit(planned ? load(Path.of(args[PLANNED.size()])) : new CommandLine(new LoadVerb()).execute(args));
  }

  /** Runs the load of the plan on stdin, and gives the exit status. */
  private static int load(Path histograms) {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    CountDownLatch released = new CountDownLatch(1);
    try {
      String line = in.readLine();
      if (line == null) {
        System.err.println("load: --plan - expects a plan as one JSON line on stdin");
        return 2;
      }
      LoadPlan plan = JsonMapper.shared().readValue(line, LoadPlan.class);
      OpenLoopRun run = new OpenLoopRun(plan, histograms, new Lines(released));
      Thread.ofPlatform().daemon().name("stdin").start(() -> watch(in, run, released));
      Thread.ofPlatform().daemon().name("alive").start(LoadMain::alive);
      try (var _ = Interruptible.by(run::stop)) {
        LoadResult result = run.run();
        print(new LoadEventLine(System.nanoTime(), null, null, null, result, null));
        return result.valid() ? 0 : 1;
      }
    } catch (PlanNotPossible | IOException | RuntimeException e) {
      String said = e.getMessage();
      print(new LoadEventLine(System.nanoTime(), null, null, null, null, said == null ? ErrorText.of(e) : said));
      return 3;
    }
  }

  private static void watch(BufferedReader in, OpenLoopRun run, CountDownLatch released) {
    try {
      while (in.readLine() != null) {
        released.countDown();
      }
    } catch (IOException e) {
      System.err.println("load: stdin broke: " + e.getMessage());
    }
    run.stop();
    released.countDown();
  }

  /** Says that this process does not stand still, also while it opens a load and while connections are held. */
  private static void alive() {
    try {
      while (true) {
        print(new LoadEventLine(System.nanoTime(), null, null, null, null, null));
        Thread.sleep(Silence.TICK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void print(LoadEventLine line) {
    System.out.println(JsonMapper.shared().writeValueAsString(line));
    System.out.flush();
  }

  private record Lines(CountDownLatch released) implements LoadEvents {
    @Override
    public void phase(Phase phase, long monotonicNs) {
      print(new LoadEventLine(monotonicNs, phase, null, null, null, null));
    }

    @Override
    public void progress(Progress progress) {
      print(new LoadEventLine(progress.monotonicNs(), null, progress, null, null, null));
    }

    @Override
    public void staged(StagedFigures figures) {
      print(new LoadEventLine(System.nanoTime(), null, null, figures, null, null));
    }

    @Override
    public void hold() throws IOException {
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
