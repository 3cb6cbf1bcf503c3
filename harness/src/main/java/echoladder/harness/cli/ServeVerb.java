package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Refusal;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.ErrorText;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ladder serve}: one server in the foreground, its options and exit status passed through. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Run one server in the foreground; without a name, list the servers.",
    footer = {
      "",
      "Options after the name go to the server; 'ladder serve NAME --help' shows them. Beside those there is --cpus LIST: the",
      "processors that it may run on, e.g. 0-1. They are set before it starts. --entry tuned sets the options that have a tuned",
      "value in the server's server.yaml.",
      "",
      "Example: a server of your own that is to stay: its server.yaml, which works as it stands and says what to fill in",
      "  ladder serve --new mine",
      "",
      "Example: Netty on port 9000, and its metrics on 9100",
      "  ladder serve netty --port 9000 --metrics-port 9100"
    })
public final class ServeVerb implements Callable<Integer> {
  private static final Duration STOP_BOUND = Duration.ofSeconds(30);

  @Option(
      names = "--new",
      paramLabel = "NAME",
      description = "Write servers/NAME/server.yaml, which works as it stands and says what to fill in.")
  private @Nullable String fresh;

  // Ladder has parsing stop at the first of these, so that the server's own options, --help too, reach it.
  @Parameters(arity = "0..*", paramLabel = "NAME [OPTIONS]", hideParamSyntax = true, description = "The server.")
  private List<String> nameAndOptions = new ArrayList<>();

  @Override
  public Integer call() {
    Map<String, ServerManifest> servers = ServerManifest.all(Checkout.find());
    if (fresh != null) {
      System.out.println(NewServer.write(Checkout.find(), fresh, servers));
      System.out.flush();
      return 0;
    }
    if (nameAndOptions.isEmpty()) {
      list(servers);
      return 0;
    }
    String name = nameAndOptions.getFirst();
    ServerManifest manifest = ServerManifest.named(name, servers);
    ServerBuild.ensure(manifest);
    List<String> own = new ArrayList<>(nameAndOptions.subList(1, nameAndOptions.size()));
    List<String> argv = new ArrayList<>(cpus(own));
    Map<String, String> chosen = takeJvmOptions(manifest, own);
    argv.addAll(manifest.argv(Jdks.java(), chosen));
    argv.addAll(own);
    try {
      // Through this process, as a terminal would obey what a server logs of its clients.
      ProcessBuilder builder = new ProcessBuilder(argv).redirectInput(ProcessBuilder.Redirect.INHERIT);
      return passThrough(builder);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot start " + name + ": " + ErrorText.of(e) + "; is it built? (mvn package)");
    }
  }

  /** Takes out {@code --cpus LIST}: the command that starts the server on those processors; empty where there is none. */
  private static List<String> cpus(List<String> arguments) {
    int at = arguments.indexOf("--cpus");
    if (at < 0) {
      return List.of();
    }
    if (at + 1 == arguments.size()) {
      throw Refusal.badUsage("--cpus needs a list of processors, e.g. 0-1");
    }
    arguments.remove(at);
    try {
      CpuList cpus = CpuList.parse(arguments.remove(at));
      CpuList allowed = CpuAffinity.ofThread();
      if (allowed != null && !allowed.containsAll(cpus)) {
        throw Refusal.badUsage("--cpus " + cpus + ": not all of them are there; this process may run on " + allowed);
      }
      return CpuAffinity.wrapper(cpus);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--cpus: " + e.getMessage());
    }
  }

  /** Takes out what the manifest turns into JVM flags and variables: {@code --name value} or {@code --name=value}. */
  private static Map<String, String> takeJvmOptions(ServerManifest manifest, List<String> arguments) {
    Map<String, String> taken = new HashMap<>();
    for (int i = 0; i < arguments.size(); ) {
      String[] parts = arguments.get(i).split("=", 2);
      ServerManifest.Option known =
          parts[0].startsWith("--") ? manifest.options().get(parts[0].substring(2)) : null;
      if (known == null || known.toldToServer()) {
        i++;
        continue;
      }
      String name = parts[0].substring(2);
      arguments.remove(i);
      if (parts.length == 1 && i == arguments.size()) {
        throw Refusal.badUsage("--" + name + " needs a value: " + known.allowed());
      }
      String value = parts.length == 2 ? parts[1] : arguments.remove(i);
      String complaint = manifest.complaint(name, value);
      if (complaint != null) {
        throw Refusal.badUsage("--" + name + ": " + complaint);
      }
      taken.put(name, value);
    }
    return withEntry(manifest, taken, arguments);
  }

  /** Adds what {@code --entry} stands for, where it is not given: to the arguments what the server itself is told. */
  private static Map<String, String> withEntry(
      ServerManifest manifest, Map<String, String> taken, List<String> arguments) {
    String entry = ServerManifest.STOCK;
    for (int i = 0; i < arguments.size(); i++) {
      String[] parts = arguments.get(i).split("=", 2);
      if (parts[0].equals("--" + ServerManifest.ENTRY)) {
        entry = parts.length == 2 ? parts[1] : i + 1 < arguments.size() ? arguments.get(i + 1) : "";
      }
    }
    String complaint = manifest.complaint(ServerManifest.ENTRY, entry);
    if (complaint != null) {
      throw Refusal.badUsage("--" + ServerManifest.ENTRY + ": " + complaint);
    }
    Map<String, String> all = new HashMap<>(taken);
    all.put(ServerManifest.ENTRY, entry);
    Map<String, String> resolved = manifest.resolved(all);
    resolved.forEach(
        (name, value) -> {
          ServerManifest.Option known = manifest.options().get(name);
          boolean given = arguments.stream().anyMatch(a -> a.equals("--" + name) || a.startsWith("--" + name + "="));
          if (known != null && known.toldToServer() && !given) {
            arguments.add("--" + name);
            arguments.add(value);
          }
        });
    return resolved;
  }

  private static void list(Map<String, ServerManifest> servers) {
    for (ServerManifest server : servers.values()) {
      System.out.printf(
          "%-18s %-5s %-10s %s%s%n",
          server.name(),
          server.protocol(),
          server.role(),
          server.title(),
          server.options().isEmpty() ? "" : "  (options: --" + String.join(", --", server.options().keySet()) + ")");
    }
    System.out.flush();
  }

  private static ChildProcess.Drain copyTo(PrintStream to) {
    return from -> {
      byte[] part = new byte[8 << 10];
      int n;
      while ((n = from.read(part)) >= 0) {
        to.write(part, 0, n);
        to.flush();
      }
    };
  }

  /**
   * Starts it and waits for its end. A signal that ends the ladder is passed on, its exit status is the ladder's, and it ends with a
   * ladder that is killed.
   */
  private static int passThrough(ProcessBuilder builder) throws IOException {
    // Heeded before the server can say that it is ready: whoever reads that may send the signal at once.
    CompletableFuture<Optional<ChildProcess>> started = new CompletableFuture<>();
    Thread hook = new Thread(() -> started.join().ifPresent(process -> Runtime.getRuntime().halt(end(process))), "on-signal");
    Runtime.getRuntime().addShutdownHook(hook);
    ChildProcess process;
    try {
      process = ChildProcess.start(builder, copyTo(System.out), copyTo(System.err));
      started.complete(Optional.of(process));
    } finally {
      // Where it did not start, whatever the reason, the hook waits for nobody.
      started.complete(Optional.empty());
    }
    try {
      int status = process.ended().get();
      process.drained();
      Runtime.getRuntime().removeShutdownHook(hook);
      return status;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return end(process);
    } catch (ExecutionException | IllegalStateException e) {
      // The signal came while the server ended; the hook ends the process with the server's status.
      return end(process);
    }
  }

  private static int end(ChildProcess process) {
    process.stop(STOP_BOUND);
    try {
      process.drained();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Integer status = process.status();
    return status == null ? Refusal.CANNOT_RUN : status;
  }
}
