package echoladder.harness.run;

import echoladder.client.LoadClient;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.server.JavaBinary;
import echoladder.harness.study.Study;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * What every rung of one run shares.
 *
 * @param clients makes a load client whose process writes its stderr to that file; one per rung
 */
record RunContext(
    Checkout checkout,
    Study study,
    RunFolder folder,
    SamplesFile samples,
    Function<Path, LoadClient> clients,
    Display display,
    StopSignal stop) {

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
