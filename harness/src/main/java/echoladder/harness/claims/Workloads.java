package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.server.JavaBinary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the programs of workloads/ and go-echo/cmd/ are started.
 *
 * @param memoryBytes what each may hold
 * @param timeNs how long each may take
 */
record Workloads(Checkout checkout, long memoryBytes, long timeNs) {
  /** Of the limit for the heap: the rest is for the JVM itself, its threads' stacks and the collector's books. */
  private static final double HEAP_SHARE = 0.85;

  /** A step's command, without what puts it into a control group. */
  List<String> command(Claim.Step step, Effort effort) {
    List<String> command = new ArrayList<>();
    if (step.language() == Claim.Language.JAVA) {
      command.add(JavaBinary.path().toString());
      command.add("-Xmx" + ((long) (memoryBytes * HEAP_SHARE) >> 20) + "m");
      command.add("--enable-native-access=ALL-UNNAMED");
      command.addAll(step.jvm());
      command.add("-cp");
      command.add(checkout.root().resolve("workloads/target/lib") + "/*");
      command.add("echoladder.workloads." + className(step.workload()));
    } else {
      command.add(program(step.workload()).toString());
    }
    command.addAll(step.args().getOrDefault(effort, List.of()));
    command.add("--memory-limit");
    command.add((memoryBytes >> 20) + "M");
    command.add("--time-limit");
    command.add(timeNs / 1_000_000_000 + "s");
    return command;
  }

  private Path program(String workload) {
    return checkout.root().resolve("go-echo/target").resolve(workload);
  }

  /** {@code thread-ramp} is ThreadRamp. */
  static String className(String workload) {
    StringBuilder name = new StringBuilder();
    for (String part : workload.split("-", -1)) {
      name.append(part.substring(0, 1).toUpperCase(java.util.Locale.ROOT)).append(part.substring(1));
    }
    return name.toString();
  }
}
