package echoladder.harness.cli.run;

import com.sun.net.httpserver.HttpServer;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.run.Display;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunEvents;
import echoladder.harness.watch.LivePage;
import echoladder.loadmetrics.LoadExporter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who is told of a run while it is under way: a person at the terminal, a browser, a script. */
final class WatchOption {
  private static final int MOST_PORT = 65_535;

  @Option(
      names = "--watch",
      paramLabel = "PORT",
      description = "Serve the growing report at http://127.0.0.1:PORT/, and the client's Prometheus metrics at /metrics, while "
          + "the run is under way; 0 = any free port, which is printed. The page is made anew after each rung, and loads itself again"
          + " where its reader is.")
  private @Nullable Integer port;

  @Option(
      names = "--quiet",
      description = "Say nothing of phases and rungs on stderr, only what went wrong; the table and where the report is stand on stdout.")
  private boolean quiet;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = "For scripts: append a line of JSON to FILE as the run begins and ends, as a rung enters a phase, and as it ends."
          + " FILE may be a pipe. docs/EVENTS.md has the fields.")
  private @Nullable Path events;

  /** None of them means anything for a study of claims. */
  void refuse(String study) {
    if (port != null || quiet || events != null) {
      throw Refusal.badUsage("--watch, --quiet and --events are for studies that climb; '" + study + "' is one of claims");
    }
  }

  /**
   * Takes the port and opens the file before anything is started.
   *
   * @param inLab whether the run is climbed in a lab, whose loopback is its own
   * @throws Refusal where that cannot be
   */
  Watch open(boolean inLab) {
    if (events != null && inLab) {
      throw Refusal.badUsage(
          "--events " + events + ": this run is climbed in a lab, which writes its results alone; run.json is there replaced after"
              + " each rung");
    }
    HttpServer bound = bind(inLab);
    return new Watch(bound, quiet, events == null ? null : RunEvents.appendedTo(events));
  }

  private @Nullable HttpServer bind(boolean inLab) {
    if (port == null) {
      return null;
    }
    if (port < 0 || port > MOST_PORT) {
      throw Refusal.badUsage("--watch " + port + " is no port: 0 to " + MOST_PORT);
    }
    if (inLab) {
      throw Refusal.badUsage(
          "--watch " + port + ": this run is climbed in a lab, whose loopback cannot be reached from outside; its report is "
              + "written at its end");
    }
    return LivePage.bind(port);
  }

  /** A port that was taken for it and what is served there, and a file that was opened. */
  static final class Watch implements AutoCloseable {
    private final LoadExporter metrics = new LoadExporter();
    private final Display display;
    private final @Nullable HttpServer bound;
    private final boolean quiet;
    private final @Nullable RunEvents events;
    private @Nullable LivePage page;

    private Watch(@Nullable HttpServer bound, boolean quiet, @Nullable RunEvents events) {
      this.bound = bound;
      this.quiet = quiet;
      this.events = events;
      this.display = Display.onStderr(quiet, events);
    }

    /** For the phases and rungs of a run. */
    Display display() {
      return display;
    }

    /** Says what is no result and no trouble. */
    void say(String what) {
      if (!quiet) {
        warn(what);
      }
    }

    /** Says what is trouble. */
    static void warn(String what) {
      System.err.println("ladder: " + what);
    }

    /** A run begins that is so planned. */
    void begins(RunFolder folder, Preparation prepared) {
      if (events != null) {
        events.begins(folder, prepared.setup().study().name(), prepared.plan().size());
      }
    }

    /** A run is over, and its report written. */
    void ends(RunFolder folder, RunRecord run, int exitStatus) {
      if (events != null) {
        events.ends(folder, run, exitStatus);
      }
    }

    /** Serves the run of that folder, and says where; gives what is to be told of it. */
    Consumer<RunRecord> of(RunFolder folder) {
      if (bound == null) {
        return run -> {};
      }
      LivePage serving = LivePage.of(bound, folder, metrics, display::now);
      page = serving;
      System.err.println("ladder: watch this run at " + LivePage.url(bound));
      return serving::show;
    }

    /** What the client says of itself at /metrics; nobody asks where nothing is served. */
    LoadExporter metrics() {
      return metrics;
    }

    @Override
    public void close() {
      if (page != null) {
        page.close();
      } else if (bound != null) {
        bound.stop(0);
      }
      if (events != null) {
        events.close();
      }
    }
  }
}
