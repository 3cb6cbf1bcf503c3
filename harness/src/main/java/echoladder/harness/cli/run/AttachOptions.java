package echoladder.harness.cli.run;

import echoladder.client.PageCredentials;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.page.MetricsPage;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import echoladder.openloop.connection.RouteOptions;
import echoladder.openloop.connection.TargetPolicy;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code --attach}: the server of somebody else that is climbed, and the addresses from which it is loaded. */
final class AttachOptions {
  private static final int CONNECT_BOUND_MS = 5_000;

  @Option(
      names = "--attach",
      paramLabel = "HOST:PORT",
      description = "Climb a server that somebody else started at HOST:PORT. The ladder starts and stops nothing. The study must "
          + "have one server, or --servers must name one of them. If the study publishes, --subscribe-path and --publish-path say where "
          + "a server that is not the project's pushes text.")
  private @Nullable String attach;

  @Option(
      names = "--server-metrics",
      paramLabel = "URL",
      description =
          "The attached server's Prometheus page. The ladder reads CPU, memory, connections and collections there. A user name and "
          + "password in the URL (http://USER:PASSWORD@HOST:PORT/metrics) go with the request and are recorded nowhere.")
  private @Nullable String metrics;

  @Mixin private RouteOptions route = new RouteOptions();

  /** Whether a server is attached to. */
  boolean given() {
    return attach != null;
  }

  /**
   * As given.
   *
   * @throws Refusal (bad usage) where one is not an address that can be connected from here
   */
  List<String> sources() {
    for (String source : route.sources()) {
      // Binding is the test, as an address may be local by a route alone.
      try (Socket trial = new Socket()) {
        trial.bind(new InetSocketAddress(Inet4Address.ofLiteral(source), 0));
      } catch (IOException | IllegalArgumentException e) {
        throw Refusal.badUsage(
            "--source-address " + source + " is no IPv4 address of this host (" + e.getMessage()
                + "); 'ip address add " + source + "/LENGTH dev INTERFACE' gives it one");
      }
    }
    return route.sources();
  }

  /**
   * The server to attach to; null = servers are started here.
   *
   * @param servers all that are known
   * @param push by which paths it pushes text
   * @throws Refusal (bad usage) where the options do not fit each other or the study
   */
  @Nullable Attachment attachment(Study study, Map<String, ServerManifest> servers, PushPathOptions push) {
    if (attach == null) {
      if (metrics != null || !route.allowed().isEmpty()) {
        throw Refusal.badUsage(
            (metrics != null ? "--server-metrics" : "--allow-target") + " goes with --attach HOST:PORT");
      }
      return null;
    }
    if (metrics == null) {
      throw Refusal.badUsage("--attach needs --server-metrics URL, e.g. http://10.0.0.2:9100/metrics: only that page tells "
          + "the CPU and memory of a server that the ladder did not start");
    }
    if (study.servers().size() != 1) {
      List<String> labels = study.servers().stream().map(Study.Entry::label).toList();
      throw Refusal.badUsage(
          "--attach climbs one server and the study has %d (%s); name the one that runs there with --servers NAME"
              .formatted(labels.size(), String.join(", ", labels)));
    }
    URI page = page(metrics);
    if (!study.servers().getFirst().settings().client().targetAddresses().isEmpty()) {
      throw Refusal.badUsage(
          "--attach and this study's settings.client.target_addresses both say where the server is; leave one of the two out");
    }
    Target target = target(attach);
    refuse("--attach", target, route.allowed());
    refuse("--server-metrics", host(page), route.allowed());
    return new Attachment(target, page, route.allowed(), pushed(study, servers, push));
  }

  /** By which paths the study's one server is pushed at; null = as the project's servers are. */
  private static @Nullable PushPaths pushed(Study study, Map<String, ServerManifest> servers, PushPathOptions push) {
    PushPaths paths = push.paths();
    if (paths == null) {
      return null;
    }
    Study.Entry entry = study.servers().getFirst();
    Publish published = study.load(entry).published();
    if (published == null) {
      throw PushPathOptions.unpublished();
    }
    Protocol speaks = ServerManifest.named(entry.server(), servers).speaks();
    if (speaks == Protocol.TCP) {
      throw Refusal.badUsage(
          ("%s: '%s' of the study speaks TCP, and text is pushed over HTTP or WebSocket; name a server that speaks what yours does with"
              + " --servers NAME; see %s")
              .formatted(String.join(" and ", PushPathOptions.NAMES), entry.label(), OwnServer.PUSH_PAGE));
    }
    PushPathOptions.check(speaks, paths, published, study.load(entry));
    return paths;
  }

  /**
   * The metrics page, without its user name and password; null where none is given.
   *
   * @throws Refusal (bad usage) where it is no such URL
   */
  @Nullable URI page() {
    return metrics == null ? null : page(metrics);
  }

  /** Hosts that the command line lists as the user's to load. */
  List<String> allowed() {
    return route.allowed();
  }

  /**
   * The server that a run was attached to, of which run.json says where it is, and the command line whether it may be loaded.
   *
   * @throws Refusal (bad usage) where it may not
   */
  static Attachment again(AttachedRecord record, List<String> allowed) {
    Target target = target(record.target());
    URI page = page(record.serverMetrics());
    refuse("the run's target (its run.json alone does not allow you to load it)", target, allowed);
    refuse("the run's metrics page (its run.json alone does not allow you to ask it)", host(page), allowed);
    return new Attachment(target, page, allowed, record.push());
  }

  private static Target host(URI page) {
    return new Target(page.getHost(), page.getPort() < 0 ? 80 : page.getPort());
  }

  private static Target target(String text) {
    try {
      return Target.parse(text);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--attach: " + e.getMessage());
    }
  }

  private static URI page(String text) {
    try {
      URI uri = URI.create(text);
      if ("http".equals(uri.getScheme()) && uri.getHost() != null && !uri.getRawPath().isEmpty() && uri.getRawQuery() == null) {
        return PageCredentials.take(uri);
      }
    } catch (IllegalArgumentException e) {
      // Said below, as for every text that is not of the form.
    }
    throw Refusal.badUsage("--server-metrics: '" + PageCredentials.hidden(text) + "' is not of the form http://HOST:PORT/metrics");
  }

  private static void refuse(String what, Target target, List<String> allowed) {
    String why = TargetPolicy.refusal(target, allowed);
    if (why != null) {
      throw Refusal.badUsage(what + ": " + why);
    }
  }

  /**
   * Looks once at the page and connects once to the server, from each source address, before anything is created.
   *
   * @throws Refusal (cannot run) where either cannot be had, (bad usage) where the page is of another server than the
   *     study's
   */
  static void look(Attachment attachment, Study study, List<String> sources) {
    try {
      MetricsPage page = MetricsPage.fetch(attachment.metrics());
      String complaint = attachment.complaint(page, study.servers().getFirst().server());
      if (!complaint.isEmpty()) {
        throw Refusal.badUsage(complaint + "; name the server that runs there with --servers NAME");
      }
      if (page.sum("process_cpu_seconds_total").isEmpty()) {
        throw Refusal.cannotRun(
            attachment.metrics() + " has no process_cpu_seconds_total, so it is no metrics page of a server: CPU per "
                + "echo would be missing; servers/README.md lists what the page must have");
      }
    } catch (IOException e) {
      throw Refusal.cannotRun(
          e.getMessage() + "; --attach needs a server that already runs and a metrics page that this host can reach");
    }
    Target target = attachment.target();
    for (String source : sources.isEmpty() ? List.of("0.0.0.0") : sources) {
      try (Socket trial = new Socket()) {
        trial.bind(new InetSocketAddress(source, 0));
        trial.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_BOUND_MS);
      } catch (IOException e) {
        throw Refusal.cannotRun(
            "cannot connect to " + target + (sources.isEmpty() ? "" : " from " + source) + ": " + e.getMessage()
                + "; its page " + attachment.metrics() + " answers, so its process runs: check the address and "
                + "port of its ready line, and the firewall");
      }
    }
  }

  /** As options, with a space before each. */
  String asOptions() {
    StringBuilder text = new StringBuilder();
    if (attach != null) {
      text.append(" --attach ").append(attach).append(" --server-metrics ").append(page(String.valueOf(metrics)));
    }
    if (!route.sources().isEmpty()) {
      text.append(" --source-address ").append(String.join(",", route.sources()));
    }
    route.allowed().forEach(host -> text.append(" --allow-target ").append(host));
    return text.toString();
  }
}
