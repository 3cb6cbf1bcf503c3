package echoladder.harness.cli;

import com.sun.net.httpserver.HttpServer;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.watch.LivePage;
import echoladder.loadmetrics.LoadMetrics;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether the report is served while the run is under way. */
final class WatchOption {
  private static final int MOST_PORT = 65_535;

  @Option(
      names = "--watch",
      paramLabel = "PORT",
      description = "Serve the growing report at http://127.0.0.1:PORT/, and the client's Prometheus metrics at /metrics, while "
          + "the run is under way; 0 = any free port, which is printed. The page is made anew after each rung, and loads itself again where its reader is.")
  private @Nullable Integer port;

  /**
   * Takes the port before anything is started.
   *
   * @param inLab whether the run is climbed in a lab, whose loopback is its own
   * @throws Refusal where that cannot be
   */
  Watch open(boolean inLab) {
    if (port == null) {
      return new Watch(null);
    }
    if (port < 0 || port > MOST_PORT) {
      throw Refusal.badUsage("--watch " + port + " is no port: 0 to " + MOST_PORT);
    }
    if (inLab) {
      throw Refusal.badUsage(
          "--watch " + port + ": this run is climbed in a lab, whose loopback cannot be reached from outside; its report is "
              + "written at its end");
    }
    return new Watch(LivePage.bind(port));
  }

  /** A port that was taken for it, and what is served there. */
  static final class Watch implements AutoCloseable {
    private final LoadMetrics metrics = new LoadMetrics();
    private final @Nullable HttpServer bound;
    private @Nullable LivePage page;

    private Watch(@Nullable HttpServer bound) {
      this.bound = bound;
    }

    /** Serves the run of that folder, and says where; gives what is to be told of it. */
    Consumer<RunRecord> of(RunFolder folder) {
      if (bound == null) {
        return run -> {};
      }
      LivePage serving = LivePage.of(bound, folder, metrics);
      page = serving;
      System.err.println("ladder: watch this run at " + LivePage.url(bound));
      return serving::show;
    }

    /** What the client says of itself at /metrics; nobody asks where nothing is served. */
    LoadMetrics metrics() {
      return metrics;
    }

    @Override
    public void close() {
      if (page != null) {
        page.close();
      } else if (bound != null) {
        bound.stop(0);
      }
    }
  }
}
