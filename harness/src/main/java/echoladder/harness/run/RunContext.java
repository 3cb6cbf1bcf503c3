package echoladder.harness.run;

import echoladder.harness.client.Clients;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.server.Attachment;
import echoladder.harness.study.Study;
import echoladder.loadmetrics.LoadMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every rung of one run shares.
 *
 * @param clients makes the load client of each rung
 * @param attached the server of somebody else that is climbed; null = servers are started here
 * @param sources addresses that the client connects from; none = its choice
 * @param metrics told of each load while it runs
 */
record RunContext(
    Checkout checkout,
    Study study,
    RunFolder folder,
    SamplesFile samples,
    Clients clients,
    Display display,
    StopSignal stop,
    @Nullable Attachment attached,
    List<String> sources,
    LoadMetrics metrics) {}
