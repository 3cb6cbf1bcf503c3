package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.results.Environment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code ladder environment}: what a run's environment.json says of this host, without a run. */
@Command(
    name = "environment",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Print what figures measured on this host depend on, as one JSON object: kernel, processors, memory, "
        + "network, limits and settings. It is what a run writes to environment.json. No name of a host or user is in it.",
    footer = {
      "",
      "Example: what differs between two hosts",
      "  diff <(ssh one ladder/ladder environment) <(ssh two ladder/ladder environment)",
      "",
      "Exit status: 0 printed, 2 bad usage."
    })
public final class EnvironmentVerb implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.println(
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(Environment.read(Checkout.find())));
    System.out.flush();
    return 0;
  }
}
