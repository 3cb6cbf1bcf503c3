package echoladder.harness.results;

import echoladder.harness.common.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the sources of what is measured, and of what measures times, are those of an earlier run. */
public final class MeasuredCode {
  /** Of the checkout: servers, clients and what both are made of. */
  private static final List<String> SOURCES = List.of("servers", "clients", "go-echo", "linux", "pom.xml");

  private MeasuredCode() {}

  /** What tells against it, in a sentence; empty where nothing does. By git, and so empty where there is none. */
  public static Optional<String> difference(Checkout checkout, Map<String, @Nullable Object> environment) {
    if (!(environment.get("ladder") instanceof Map<?, ?> ladder && ladder.get("git_commit") instanceof String commit)) {
      return Optional.empty();
    }
    List<String> diff = new ArrayList<>(List.of("git", "diff", "--quiet", commit, "--"));
    diff.addAll(SOURCES);
    return Command.output(checkout.root(), diff.toArray(String[]::new)) != null
        ? Optional.empty()
        : Optional.of(
            "the code of servers and clients (%s) is not that of commit %s, with which it began"
                .formatted(String.join(", ", SOURCES), commit));
  }
}
