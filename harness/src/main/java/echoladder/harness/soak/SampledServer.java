package echoladder.harness.soak;

import echoladder.client.page.MetricsPage;
import echoladder.client.page.NotThereException;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.server.ReadyLine;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server, by its page and by what the kernel tells of its process. */
final class SampledServer implements Sampled {
  private static final String DIRECT = "jvm_buffer_pool_used_bytes";

  private final ReadyLine ready;
  private final KernelSample kernel;
  private final URI direct;

  SampledServer(ReadyLine ready) {
    this.ready = ready;
    this.kernel = new KernelSample(ready.pid());
    this.direct = MetricsPage.only(ready.metrics(), List.of(DIRECT));
  }

  @Override
  public SoakSample at(double seconds) throws IOException {
    Long heap = heap();
    return kernel.with(seconds, heap, MetricsPage.fetch(direct).byLabel(DIRECT, "pool").get("direct"));
  }

  /** After a collection; null where the server has none to ask for. */
  private @Nullable Long heap() throws IOException {
    try {
      return LiveHeap.afterGc(ready.gc()).liveHeapBytes();
    } catch (NotThereException e) {
      return null;
    }
  }
}
