package echoladder.harness.run;

import echoladder.harness.client.Clients;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.JavaBinary;
import echoladder.harness.study.Study;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every rung of one run shares.
 *
 * @param clients makes the load client of each rung
 * @param attached the server of somebody else that is climbed; null = servers are started here
 * @param sources addresses that the client connects from; none = its choice
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
    List<String> sources) {

  /** A command as it may be published: the checkout, java and the harness's class path by placeholders. */
  List<String> portable(List<String> argv) {
    String java = JavaBinary.path().toString();
    String classPath = System.getProperty("java.class.path");
    String root = checkout.root().toString();
    return argv.stream()
        .map(a -> a.equals(java) ? "{java}" : a.equals(classPath) ? "{classpath}" : a.replace(root, "{home}"))
        .toList();
  }
}
