package echoladder.harness.cli;

import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Units;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.Row;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.published.Climbs;
import echoladder.harness.published.MeasureIt;
import echoladder.harness.published.Points;
import echoladder.harness.published.PublishedRuns;
import echoladder.harness.published.SizeText;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunSetup;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import echoladder.harness.tune.SettingsProfile;
import echoladder.openloop.command.AmountOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ladder size}: what a number of connections takes, by the published runs. */
@Command(
    name = "size",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Say what N connections take at the server's end, by the published runs: memory, cores, what stopped it, and limits. "
        + "Measure nothing.",
    footer = {
      "",
      "Example: which server for 10,000 connections that send 5,000 messages/s in total",
      "  ladder size --connections 10000 --rate 5000/s",
      "",
      "Each row names the run that it is from: the closest to your numbers, of the server as it comes where there is one. Memory between",
      "two measured counts of connections is interpolated. Cores are those of the measured rates around yours. Beyond the highest rate",
      "that was measured with so many connections there is no answer but the command that measures it, if this host can.",
      "",
      "Exit status: 0 all answered, 1 a part of it was never measured, 2 bad usage."
    })
public final class SizeVerb implements Callable<Integer> {
  @Option(
      names = "--connections",
      required = true,
      paramLabel = "N",
      converter = AmountOption.LargeCount.class,
      description = "How many, from 1 to 1000000000, e.g. 100k.")
  private long connections;

  @Option(names = "--rate", paramLabel = "R/s", description = "Messages per second over all of them. Default: nothing is said of cores.")
  private @Nullable String rate;

  @Option(names = "--server", paramLabel = "NAME", split = ",", description = "Which servers. Default: all that echo over TCP.")
  private List<String> servers = List.of();

  @Option(names = "--protocol", paramLabel = "NAME",
      description = "All servers that echo over it: tcp (the default), http or websocket.")
  private @Nullable String protocol;

  @Option(names = "--message-bytes", paramLabel = "B",
      description = "Size of a message: runs with other sizes are left out. Default: ${DEFAULT-VALUE}.")
  private int messageBytes = MeasureIt.MESSAGE_BYTES;

  @Option(names = "--points", paramLabel = "FILE",
      description = "Another file of points, as 'index' writes it, with its climbs.csv beside it. Default: results/points.csv.")
  private @Nullable Path file;

  @Override
  public Integer call() {
    if (connections < 1 || connections > Question.MOST_CONNECTIONS) {
      throw Refusal.badUsage("--connections %d is not from 1 to %d".formatted(connections, Question.MOST_CONNECTIONS));
    }
    if (messageBytes < 1 || messageBytes > MeasureIt.MOST_MESSAGE_BYTES) {
      throw Refusal.badUsage("--message-bytes %d is not from 1 to %d".formatted(messageBytes, MeasureIt.MOST_MESSAGE_BYTES));
    }
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> known = ServerManifest.all(checkout);
    Path of = file != null ? file : checkout.results().resolve(PublishedRuns.POINTS);
    SizeText.Answer answer =
        SizeText.of(
            Points.read(of), Climbs.read(of.resolveSibling(PublishedRuns.CLIMBS)), chosen(known),
            new SizeText.Wanted(connections, perSecond(), messageBytes), (run, server) -> obstacle(checkout, known, run, server));
    answer.lines().forEach(System.out::println);
    limits();
    System.out.flush();
    return answer.whole() ? 0 : 1;
  }

  /**
   * Why not one rung of the server is within reach; a rung's other reasons, such as a missing client, are its own. Null too where there
   * are no studies, as in the one file: who asks may have a checkout elsewhere.
   */
  private static @Nullable String obstacle(Checkout checkout, Map<String, ServerManifest> known, MeasureIt run, String server) {
    if (!Files.isDirectory(checkout.studies())) {
      return null;
    }
    Study study = new StudyReader(checkout, known).read(run.study(), run.selection());
    RunSetup setup = new RunSetup(checkout, study, known, InstalledClients.here(), null, List.of());
    return Preparation.of(setup).plan().rungs().stream()
        .filter(rung -> study.entry(rung.label()).orElseThrow().server().equals(server))
        .map(rung -> rung.obstacles().why())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private List<SizeText.Asked> chosen(Map<String, ServerManifest> known) {
    if (protocol != null && !servers.isEmpty()) {
      throw Refusal.badUsage("--protocol names all servers that speak it, and --server names some: give one of the two");
    }
    String spoken = protocol == null ? "tcp" : protocol;
    List<ServerManifest> chosen =
        servers.isEmpty()
            ? known.values().stream()
                .filter(server -> server.protocol().equals(spoken) && !server.reference() && !server.onlyPushes())
                .toList()
            : servers.stream().map(name -> ServerManifest.named(name, known)).toList();
    if (chosen.isEmpty()) {
      throw Refusal.badUsage("--protocol '" + spoken + "': no server speaks it; known: tcp, http, websocket");
    }
    for (ServerManifest server : chosen) {
      if (server.onlyPushes()) {
        throw Refusal.badUsage(
            "--server: '%s' only pushes, and size tells what connections with echoes take; './ladder run push' shows servers that push"
                .formatted(server.name()));
      }
    }
    return chosen.stream().map(server -> new SizeText.Asked(server.name(), floor(server, known))).toList();
  }

  private static @Nullable String floor(ServerManifest server, Map<String, ServerManifest> known) {
    return known.values().stream()
        .filter(other -> other.reference() && other.protocol().equals(server.protocol()))
        .map(ServerManifest::name)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Double perSecond() {
    if (rate == null) {
      return null;
    }
    try {
      double perS = Quantity.RATE.parse(rate).doubleValue();
      if (perS > 0 && perS <= 1e9) {
        return perS;
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--rate " + rate + ": " + e.getMessage());
    }
    throw Refusal.badUsage("--rate " + rate + " is not above 0 and at most 1000000000/s");
  }

  /** What the doctor reckons for either end. */
  private void limits() {
    HostFacts host = HostFactsReader.read();
    Row server = row(new Question(connections, Role.SERVER, ServerModel.unnamed(), 0, null), host, KnownLimit.NOFILE_SERVER);
    Row client = row(new Question(connections, Role.CLIENT, ServerModel.unnamed(), 0, null), host, KnownLimit.PORTS);
    System.out.println(
        "Limits: RLIMIT_NOFILE of the server %s; source addresses of the clients, with the port range of this host, %s."
            .formatted(needed(server), needed(client)));
    String profile = SettingsProfile.forConnections(connections);
    System.out.println(
        ("Kernel settings: the profile %s, see './ladder tune show %s'. './ladder doctor --connections %d --server NAME' says which of"
            + " them this host lacks.")
            .formatted(profile, profile, connections));
  }

  private static Row row(Question question, HostFacts host, KnownLimit limit) {
    return Doctor.examine(question, host).rows().stream().filter(row -> row.limit().equals(limit.id())).findFirst().orElseThrow();
  }

  private static String needed(Row row) {
    Long needed = row.needed();
    return needed == null ? Units.NONE : Units.count(needed);
  }
}
