package echoladder.harness.run;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.Results;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Goes through the phases in no time, with a few real connections; what it answers can be changed. */
final class FakeClient implements LoadClient {
  final CountDownLatch stopped = new CountDownLatch(1);
  /** The load that it was asked for last; null = none yet. */
  @Nullable LoadPlan asked;
  private final UnaryOperator<LoadResult> change;
  private final boolean untilStopped;
  private final @Nullable IOException refusal;
  private final long lateNs;

  /** With {@code lateNs} it tells so late of the end of the steady state. */
  FakeClient(UnaryOperator<LoadResult> change, boolean untilStopped, @Nullable IOException refusal, long lateNs) {
    this.lateNs = lateNs;
    this.refusal = refusal;
    this.change = change;
    this.untilStopped = untilStopped;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    if (refusal != null) {
      throw refusal;
    }
  }

  @Override
  public void stop() {
    stopped.countDown();
  }

  /** So that the server has accepted it; one that dies, or never answers, is for the harness to find. */
  private static void echo(Socket socket) {
    try {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(1);
      int _ = socket.getInputStream().read();
    } catch (IOException e) {
      // See above.
    }
  }

  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    asked = plan;
    Files.writeString(histograms, "# fake\n");
    List<Socket> held = new ArrayList<>();
    try {
      listener.phase(Phase.RAMP, System.nanoTime());
      for (int i = 0; i < Math.min(4, plan.connections()); i++) {
        Socket socket = new Socket(plan.targets().getFirst().host(), plan.targets().getFirst().port());
        held.add(socket);
        echo(socket);
      }
      listener.phase(Phase.WARM_UP, System.nanoTime());
      listener.phase(Phase.STEADY, System.nanoTime());
      listener.progress(new Progress(Phase.STEADY, System.nanoTime(), 1_000_000_000L, 4, 0, 1, 1, 5_000, 0, null, null));
      if (untilStopped && stopped.await(60, TimeUnit.SECONDS)) {
        return change.apply(
            Results.of(
                plan.connections(), 50_000, 50_000, 0, Results.TIMES, 40.0,
                List.of(new Reason(ReasonCode.INTERRUPTED, "stopped"))));
      }
      listener.phase(Phase.DRAIN, System.nanoTime() - lateNs);
      listener.phase(Phase.HOLD, System.nanoTime());
      return change.apply(Results.good(plan.connections()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }
}
