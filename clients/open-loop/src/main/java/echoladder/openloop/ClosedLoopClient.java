package echoladder.openloop;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.openloop.run.LoadOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Users of a staged load who wait for their answers before they ask again, in a process of their own. It is the process
 * of the open-loop client: same event loop, same parser, same stamps. What differs is when a request is due, and nothing
 * else, so that a difference between the two is one between the loops.
 *
 * <p>It measures service times and calls them so. It has no response times, as its sends were intended by nobody but
 * the server that let them wait.
 */
public final class ClosedLoopClient implements LoadClient {
  /** As used in study.yaml and results. */
  public static final String NAME = LoadOutcome.CLOSED_LOOP;

  private final OpenLoopClient process;

  /**
   * @param javaCommand java, its flags and class path, up to where the main class follows
   * @param errorLog file that the process's stderr is appended to
   */
  public ClosedLoopClient(List<String> javaCommand, Path errorLog) {
    process = new OpenLoopClient(javaCommand, errorLog);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Takes staged loads alone; another one is an {@link IllegalArgumentException}. */
  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    if (!plan.closedLoop()) {
      throw new IllegalArgumentException("the closed-loop client drives users in stages, in a closed loop; " + plan);
    }
    return process.run(plan, histograms, listener);
  }

  @Override
  public void stop() {
    process.stop();
  }
}
