package echoladder.harness.cli;

import echoladder.harness.cli.run.RunArgument;
import echoladder.harness.cli.run.UntilSignal;
import echoladder.harness.client.Clients;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.results.Environment;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunLock;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.resume.Comparability;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import echoladder.harness.soak.Soak;
import echoladder.harness.soak.SoakFiles;
import echoladder.harness.soak.SoakRun;
import echoladder.harness.soak.SoakText;
import echoladder.linux.ErrorText;
import echoladder.openloop.command.AmountOption;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ladder soak}: servers under rough treatment for hours, and what grows of them. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Load servers for hours, one after the other: mostly idle connections of which some are replaced each second, and beside "
        + "them slow readers, resets, half-closes and scrapes. Descriptors, threads, memory and kernel memory must not grow beyond a"
        + " bound. The ladder itself can be soaked too: it climbs short rungs, and is looked at after each.",
    footer = {
      "",
      "Example: every server for an hour each, and the rest of them after it was stopped",
      "  ladder soak --for 1h",
      "  ladder soak --resume results/soak/20260101T120000Z-1a2b",
      "",
      "Example: one server for two minutes",
      "  ladder soak --for 2m --server netty",
      "",
      "Example: the ladder itself for an hour of short rungs",
      "  ladder soak --for 1h --server ladder",
      "",
      "Exit status: 0 all held; 1 something grew beyond its bound or went wrong, or not all was soaked; 2 bad usage; 3 could not run."
    })
public final class SoakVerb implements Callable<Integer> {
  private static final Duration LEAST = Duration.ofSeconds(10);
  private static final Duration MOST = Duration.ofHours(12);
  private static final String HOUR = "1h";
  private static final int CONNECTIONS = 1_000;

  /** Without the bound the client's heap grows to 2 GiB within an hour, nearly all of it garbage. */
  private static final Clients CLIENTS = InstalledClients.here().with("-Xmx256m");

  @Option(names = "--for", paramLabel = "TIME", description = "How long each server is loaded, from 10s to 12h. Default: " + HOUR + ".")
  private @Nullable String length;

  @Option(
      names = "--server",
      paramLabel = "NAME",
      split = ",",
      description = "Which servers; 'ladder' is the ladder itself. Default: all, and the ladder.")
  private List<String> names = List.of();

  @Option(
      names = "--connections",
      paramLabel = "N",
      converter = AmountOption.Count.class,
      description = "Connections that the load holds, from 100 to 20000. Default: " + CONNECTIONS + ".")
  private @Nullable Integer connections;

  @Option(names = "--results", paramLabel = "DIR", description = "Where the folder of the soak is made. Default: results of the checkout.")
  private @Nullable Path results;

  @Option(names = "--resume", paramLabel = "DIR", description = "Go on with a soak that was stopped: the servers that it lacks.")
  private @Nullable Path resume;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> known = ServerManifest.all(checkout);
    Path again = resume;
    if (again != null) {
      if (length != null || connections != null || results != null || !names.isEmpty()) {
        throw Refusal.badUsage("--resume goes on as the soak was begun; give it without --for, --server, --connections and --results");
      }
      RunFolder folder = RunArgument.folder(again);
      Soak begun = SoakFiles.read(folder);
      refuseOutOfReach(begun.servers(), known, begun.connections());
      built(begun.servers(), known);
      refuseOther(folder, begun, environment(checkout, begun.servers(), known));
      return run(folder, begun, known);
    }
    Path into = results == null ? checkout.results() : results;
    String time = length();
    int held = connections();
    List<String> chosen = chosen(known);
    refuseOutOfReach(chosen, known, held);
    built(chosen, known);
    RunFolder.refuseUnwritable(into);
    RunFolder folder = RunFolder.create(into, "soak", Instant.now(), RandomGenerator.getDefault());
    String reproduce =
        "./ladder soak --for " + time + (names.isEmpty() ? "" : " --server " + String.join(",", names))
            + (held == CONNECTIONS ? "" : " --connections " + held);
    return run(
        folder,
        new Soak(folder.runId(), Status.RUNNING, Instant.now().toString(), time, held, reproduce, chosen,
            environment(checkout, chosen, known), List.of()),
        known);
  }

  private String length() {
    String text = length == null ? HOUR : length;
    try {
      Duration time = Quantity.duration(text);
      if (time.compareTo(LEAST) >= 0 && time.compareTo(MOST) <= 0) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--for: " + e.getMessage() + ", e.g. 2m or 1h");
    }
    throw Refusal.badUsage("--for " + text
        + " is not from 10s to 12h: a shorter soak has too few samples to compare its end with its beginning");
  }

  private int connections() {
    int wanted = connections == null ? CONNECTIONS : connections;
    if (wanted < 100 || wanted > 20_000) {
      throw Refusal.badUsage("--connections %d is not from 100 to 20000: a soak is of hours, not of many connections".formatted(wanted));
    }
    return wanted;
  }

  private List<String> chosen(Map<String, ServerManifest> known) {
    List<String> all = Stream.concat(known.values().stream().map(ServerManifest::name), Stream.of(SoakRun.LADDER)).toList();
    List<String> chosen = names.isEmpty() ? all : List.copyOf(names);
    servers(chosen).forEach(name -> ServerManifest.named(name, known));
    return chosen;
  }

  /** Those that are servers. */
  private static Stream<String> servers(List<String> names) {
    return names.stream().filter(name -> !name.equals(SoakRun.LADDER));
  }

  /** A soak whose server the kernel ends for a limit of the host shows nothing of the server. */
  private static void refuseOutOfReach(List<String> names, Map<String, ServerManifest> known, int connections) {
    HostFacts here = HostFactsReader.read();
    for (String name : servers(names).toList()) {
      ServerModel server = ServerModel.of(ServerManifest.named(name, known), Map.of()).startedHere();
      String inTheWay = Doctor.examine(new Question(connections, Role.BOTH, server, 0, null), here).inTheWay();
      if (inTheWay != null) {
        throw Refusal.cannotRun("%s is not soaked with %,d connections here: %s; nothing was started"
            .formatted(name, connections, inTheWay));
      }
    }
  }

  private static void built(List<String> names, Map<String, ServerManifest> known) {
    servers(names).forEach(name -> ServerBuild.ensure(ServerManifest.named(name, known)));
  }

  /** The environment as a run records it, with the hashes of what is soaked. */
  private static Map<String, @Nullable Object> environment(Checkout checkout, List<String> names, Map<String, ServerManifest> known) {
    ProgramHashes hashes = new ProgramHashes(checkout).add("ladder", CLIENTS.openLoop());
    servers(names).forEach(name -> hashes.add(name, ServerManifest.named(name, known).argv(Jdks.java(), ServerSettings.DEFAULT)));
    Map<String, @Nullable Object> environment = new LinkedHashMap<>(Environment.read(checkout));
    environment.put(ProgramHashes.KEY, hashes.all());
    return environment;
  }

  /** One soak is of one machine and one program. */
  private static void refuseOther(RunFolder folder, Soak begun, Map<String, @Nullable Object> now) {
    List<String> against = Comparability.against(begun.environment(), now);
    if (!against.isEmpty()) {
      throw Refusal.badUsage(
          ("the soak in %s cannot be resumed, as its further servers could not stand beside those it has:\n%s\nPut that back as it was,"
              + " or begin anew: %s")
              .formatted(folder.dir(), String.join("\n", against), begun.reproduce()));
    }
  }

  private static int run(RunFolder folder, Soak from, Map<String, ServerManifest> known) {
    StopSignal stop = new StopSignal();
    try (RunLock lock = RunLock.of(folder).take();
        UntilSignal _ = UntilSignal.stopping(stop)) {
      SmokeRungs rungs = new SmokeRungs(Checkout.find(), known, CLIENTS, folder.dir(), stop);
      Soak soak = new SoakRun(known, CLIENTS, rungs, folder, stop).run(from);
      if (soak.status() == Status.COMPLETE) {
        lock.remove();
      }
      System.out.print(SoakText.terminal(soak));
      System.out.println("soak: " + folder.file("SOAK.md"));
      System.out.flush();
      return soak.held() ? 0 : 1;
    } catch (IOException e) {
      throw Refusal.cannotRun("the soak in " + folder.dir() + " cannot go on: " + ErrorText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.cannotRun("the soak in " + folder.dir() + " was interrupted; go on with --resume");
    }
  }
}
