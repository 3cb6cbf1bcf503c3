package echoladder.client;

import echoladder.client.figures.StagedFigures;
import java.io.IOException;
import java.nio.file.Path;

/** A client that keeps in mind a stop that came before its load had begun, and then ends the load as it begins. */
public final class RememberedStop implements LoadClient {
  private final LoadClient client;
  private volatile boolean stopped;

  public RememberedStop(LoadClient client) {
    this.client = client;
  }

  @Override
  public String name() {
    return client.name();
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    client.check(plan);
  }

  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    return client.run(plan, histograms, new Heeding(listener));
  }

  @Override
  public void stop() {
    stopped = true;
    client.stop();
  }

  /** At each phase the client's process is there, so that it can be stopped. */
  private final class Heeding implements LoadListener {
    private final LoadListener listener;

    Heeding(LoadListener listener) {
      this.listener = listener;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {
      if (stopped) {
        client.stop();
      }
      listener.phase(phase, monotonicNs);
    }

    @Override
    public void progress(Progress progress) {
      listener.progress(progress);
    }

    @Override
    public void staged(StagedFigures figures) {
      listener.staged(figures);
    }

    @Override
    public void said(ToolSaid said) {
      listener.said(said);
    }
  }
}
