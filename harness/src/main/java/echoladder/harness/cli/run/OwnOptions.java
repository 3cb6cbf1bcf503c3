package echoladder.harness.cli.run;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.ShellWord;
import echoladder.harness.compare.Condition;
import echoladder.harness.results.RunRecord;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.linux.ErrorText;
import echoladder.linux.sockets.EphemeralPorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code --own}: climbs a server that the project does not know beside the floor of its protocol, or two of them in pairs. */
final class OwnOptions {
  /**
   * The names of all these options, in the order of {@link #values}. {@code --resume} needs them again: a run's folder may be
   * somebody else's, and its record must not choose a command that runs here.
   */
  static final List<String> NAMES =
      Stream.concat(
              Stream.of("--own", "--own-pid", "--port", "--protocol", "--name", "--path", "--request", "--expect-status"),
              PushPathOptions.NAMES.stream())
          .toList();

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final String LABEL = "own";

  /** What two servers are called where the user names none. */
  private static final List<String> LABELS = List.of("A", "B");

  /** A label before a command. What sets a variable for a command looks alike, so of two both have one or none has. */
  private static final Pattern LABELLED = Pattern.compile("([A-Za-z0-9][A-Za-z0-9-]{0,63})=(.*)", Pattern.DOTALL);

  /** Those that say something over each protocol. */
  private static final List<String> OF_ANY_PROTOCOL = List.of("--port", "--protocol", "--name");

  /** Those that over WebSocket say something, too. */
  private static final List<String> OVER_WEBSOCKET =
      Stream.concat(Stream.of("--path"), PushPathOptions.NAMES.stream()).toList();

  private static final int OK = 200;

  @Option(
      names = "--own",
      paramLabel = "COMMAND",
      description = "Climb a server of your own. The ladder starts COMMAND anew for each rung (by sh, in this folder) and stops it with all"
          + " processes that it has started. The server must accept at --port of 127.0.0.1 and echo. The study gives rungs and load. The"
          + " floor is climbed beside your server, or the servers that --servers names. Given twice, the two servers are climbed in pairs,"
          + " as A and B, or as --own LABEL=COMMAND names them. To set a variable for a command, write env NAME=VALUE COMMAND.")
  private List<String> commands = new ArrayList<>();

  @Option(
      names = "--own-pid",
      paramLabel = "PID",
      description = "Climb a server of your own that already runs. The ladder neither signals nor restarts it.")
  private @Nullable Long pid;

  @Option(names = "--port", paramLabel = "PORT", description = "The port on 127.0.0.1 where your server accepts. Two"
      + " servers never run at once, so they may have one port; given twice, each has its own.")
  private List<Integer> ports = new ArrayList<>();

  @Option(names = "--protocol", paramLabel = "NAME", description = "What your server speaks: tcp (the default), http or websocket.")
  private @Nullable String protocol;

  @Option(names = "--name", paramLabel = "LABEL", description = "The name of your server in the report. Default: " + LABEL + ".")
  private @Nullable String name;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description = "HTTP: the path to which messages are posted; each must come back. WebSocket: the path of the upgrade. Default: /echo.")
  private @Nullable String path;

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "HTTP: a file with the request to send in place of the message: a line METHOD PATH, headers, an empty line, the body."
          + " Only the status of answers is checked.")
  private @Nullable Path request;

  @Option(
      names = "--expect-status",
      paramLabel = "STATUS",
      description = "HTTP: the status of a right answer. Default: 200. With --path and without --request, the ladder sends GET to the path"
          + " and checks only the status of answers.")
  private @Nullable Integer status;

  @Mixin private PushPathOptions push = new PushPathOptions();

  /** None, one, or two in the order in which they were given. */
  private List<OwnServer> servers = List.of();

  /** Refuses a server of the user's own in a study of claims, because claims are about other servers. */
  void refuseOfClaims(String study) {
    if (given()) {
      throw Refusal.badUsage("--own: study '" + study + "' measures claims about other servers; name another study, e.g. quick");
    }
  }

  /** Refuses {@code --attach} beside {@code --own}. */
  void refuseBeside(AttachOptions attach) {
    if (given() && attach.given()) {
      throw Refusal.badUsage("--own climbs your server on this host and --attach climbs a server elsewhere; leave one of the two out");
    }
  }

  /** Whether there is such a server. */
  boolean given() {
    return !commands.isEmpty() || pid != null;
  }

  /** Whether there are two, which are climbed in pairs. */
  boolean two() {
    return commands.size() == 2;
  }

  /** The paths by which a server pushes text, which go with {@code --attach} too. */
  PushPathOptions push() {
    return push;
  }

  /**
   * The known servers, with the user's own among them where there is one.
   *
   * @throws Refusal (bad usage) where the options do not fit each other or the servers
   */
  Map<String, ServerManifest> among(Map<String, ServerManifest> known, AttachOptions attach) {
    List<OwnServer> own = given() ? read() : none(attach);
    Map<String, ServerManifest> all = new TreeMap<>(known);
    for (OwnServer each : own) {
      if (known.containsKey(each.name())) {
        throw Refusal.badUsage(
            "%s %s: the project has a server of that name; give your server another name"
                .formatted(two() ? "--own" : "--name", each.name()));
      }
      all.put(each.name(), each.manifest());
    }
    servers = own;
    return own.isEmpty() ? known : all;
  }

  private List<OwnServer> none(AttachOptions attach) {
    for (String stray : others()) {
      boolean ofPush = PushPathOptions.NAMES.contains(stray);
      if (!ofPush || !attach.given()) {
        throw Refusal.badUsage(stray + " goes with --own 'COMMAND' or --own-pid PID" + (ofPush ? ", or with --attach HOST:PORT" : ""));
      }
    }
    return List.of();
  }

  private List<OwnServer> read() {
    String what = commands.isEmpty() ? "--own-pid" : "--own";
    if (!commands.isEmpty() && pid != null) {
      throw Refusal.badUsage("--own starts a server and --own-pid takes a server that runs; leave one of the two out");
    }
    if (commands.size() > 2) {
      throw Refusal.badUsage(
          "--own is given %d times: one server is climbed beside the floor, two are compared in pairs; see %s"
              .formatted(commands.size(), Condition.PAGE));
    }
    if (commands.stream().anyMatch(String::isBlank)) {
      throw Refusal.badUsage("--own: the command is empty");
    }
    if (ports.isEmpty()) {
      throw Refusal.badUsage(what + " needs --port PORT, the port on 127.0.0.1 where the server accepts");
    }
    for (int port : ports) {
      if (port < 1 || port > 65_535) {
        throw Refusal.badUsage("--port " + port + " is not from 1 to 65535");
      }
    }
    if (ports.size() > Math.max(1, commands.size())) {
      throw Refusal.badUsage(
          "--port is given %d times, and there %s; give one port for all, or one for each"
              .formatted(ports.size(), two() ? "are two servers" : "is one server"));
    }
    Protocol speaks = speaks();
    if (!two()) {
      String label = name == null ? LABEL : name;
      if (!NAME.matcher(label).matches()) {
        throw Refusal.badUsage("--name '" + label + "' is no label: lower-case letters, digits and '-', at most 64");
      }
      return List.of(server(label, commands.isEmpty() ? null : commands.getFirst(), ports.getFirst(), speaks));
    }
    if (name != null) {
      throw Refusal.badUsage("--name names one server, and there are two; name them with --own LABEL=COMMAND");
    }
    List<Named> named = named();
    Named first = named.getFirst();
    Named second = named.getLast();
    return List.of(
        server(first.label, first.command, ports.getFirst(), speaks), server(second.label, second.command, ports.getLast(), speaks));
  }

  private OwnServer server(String label, @Nullable String command, int port, Protocol speaks) {
    return new OwnServer(label, command, pid, port, speaks, ask(speaks, new Target(OwnServer.HOST, port)));
  }

  private record Named(String label, String command) {}

  /** The label and the command of each of two. */
  private List<Named> named() {
    List<Matcher> labelled = commands.stream().map(LABELLED::matcher).filter(Matcher::matches).toList();
    if (labelled.isEmpty()) {
      return List.of(new Named(LABELS.getFirst(), commands.getFirst()), new Named(LABELS.getLast(), commands.getLast()));
    }
    String variable = "; a variable of a command is set with env NAME=VALUE COMMAND";
    if (labelled.size() == 1) {
      throw Refusal.badUsage(
          "--own '%s' has the label '%s' and the other --own has none; give both a label, or none%s"
              .formatted(labelled.getFirst().group(), labelled.getFirst().group(1), variable));
    }
    String first = labelled.getFirst().group(1);
    if (first.equals(labelled.getLast().group(1))) {
      throw Refusal.badUsage("--own: both servers have the label '%s'; the report needs two%s".formatted(first, variable));
    }
    List<Named> named = labelled.stream().map(of -> new Named(of.group(1), of.group(2))).toList();
    for (Named of : named) {
      if (of.command.isBlank()) {
        throw Refusal.badUsage("--own %s=: the command is empty".formatted(of.label));
      }
    }
    return named;
  }

  /** The options that are given, with their values as text. */
  private Map<String, List<String>> values() {
    List<@Nullable Object> values =
        Arrays.asList(commands, pid, ports, protocol, name, path, request, status, push.subscribe(), push.publish());
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (int i = 0; i < NAMES.size(); i++) {
      Object value = values.get(i);
      List<?> all = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
      if (!all.isEmpty()) {
        given.put(NAMES.get(i), all.stream().map(Object::toString).toList());
      }
    }
    return given;
  }

  /** Those beside the two that name a server. */
  private List<String> others() {
    return values().keySet().stream().filter(option -> !option.equals("--own") && !option.equals("--own-pid")).toList();
  }

  private Protocol speaks() {
    return switch (protocol == null ? "tcp" : protocol) {
      case "tcp" -> Protocol.TCP;
      case "http" -> Protocol.HTTP;
      case "websocket" -> Protocol.WEBSOCKET;
      default -> throw Refusal.badUsage("--protocol '" + protocol + "' is none of tcp, http and websocket");
    };
  }

  private HttpAsk ask(Protocol speaks, Target target) {
    List<String> overHttp = new ArrayList<>(others());
    overHttp.removeAll(OF_ANY_PROTOCOL);
    if (speaks == Protocol.WEBSOCKET) {
      overHttp.removeAll(OVER_WEBSOCKET);
    }
    if (speaks != Protocol.HTTP && !overHttp.isEmpty()) {
      throw Refusal.badUsage(overHttp.getFirst() + " goes with --protocol http"
          + (OVER_WEBSOCKET.contains(overHttp.getFirst()) ? " or websocket" : ""));
    }
    if (path != null && push.given()) {
      throw Refusal.badUsage("--path is where an echo is asked for; leave it out beside --subscribe-path and --publish-path");
    }
    int right = status == null ? OK : status;
    try {
      if (request != null) {
        if (path != null) {
          throw Refusal.badUsage("--request has its own path in its first line; leave --path out");
        }
        return HttpAsk.of(Files.readString(request, StandardCharsets.ISO_8859_1), target, right).with(push.paths());
      }
      String asked = path == null ? HttpAsk.ECHO.path() : path;
      HttpAsk echo = new HttpAsk(asked, null, right);
      return (status == null ? echo : HttpAsk.get(asked, target, right)).with(push.paths());
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage("--request " + request + ": there is no such file");
    } catch (IOException e) {
      throw Refusal.badUsage("--request " + request + " cannot be read: " + ErrorText.of(e));
    } catch (IllegalArgumentException e) {
      String wrong = String.valueOf(e.getMessage());
      String option = wrong.startsWith("status: ") ? "--expect-" : request != null ? "--request " + request + ": " : "--";
      throw Refusal.badUsage(option + wrong);
    }
  }

  /** The study with the user's servers, see {@link OwnInStudy}. */
  Study into(Study study, Map<String, ServerManifest> known, Selection selection) {
    return servers.isEmpty() ? study : OwnInStudy.of(servers, study, known, selection);
  }

  /**
   * Checks, before anything is created, that the server can be started or runs.
   *
   * @param note is told what will not be known of it
   * @throws Refusal (cannot run) where it cannot
   */
  void look(Consumer<String> note) {
    servers.forEach(OwnServer::look);
    servers.forEach(own -> say(own, note));
  }

  private static void say(OwnServer own, Consumer<String> note) {
    note.accept(
        ("'%s' has no metrics page: its live heap, collections, hiccups, failed accepts and its own counts are not known; its CPU, RSS,"
            + " threads,"
                + " switches and descriptors are read from %s and all processes that it starts")
            .formatted(own.name(), own.pid() == null ? "the command's process" : "process " + own.pid()));
    if (own.ask().request() != null) {
      note.accept("answers of '%s' are right if their status is %d; their bodies are not compared"
          .formatted(own.name(), own.ask().status()));
    }
    EphemeralPorts range = EphemeralPorts.read();
    if (own.pid() == null && own.port() >= range.first() && own.port() <= range.last()) {
      System.err.printf(
          "ladder: the kernel may give port %d to a client (%d-%d), so another connection may have it when the server starts anew;"
              + " see runbooks/symptoms/reserved-ports.md%n",
          own.port(), range.first(), range.last());
    }
  }

  /**
   * Refuses to go on with a run that had a server of its user's own, unless this command line names that server again.
   *
   * @throws Refusal (bad usage) where this command line names none, or another
   */
  void refuseAnother(RunRecord run) {
    List<String> had = run.servers().stream().filter(of -> of.own() != null).map(RunRecord.ServerRecord::label).toList();
    OwnServer unknown = servers.stream().filter(own -> !had.contains(own.name())).findFirst().orElse(null);
    if (unknown != null || servers.size() < had.size()) {
      throw Refusal.badUsage(
          unknown == null
              ? ("the run climbed a server of its user's own, '%s'; its record alone cannot make you run that command: give it again, as"
                  + " in: %s")
                  .formatted(String.join("', '", had), run.reproduce())
              : "the run had no server of its user's own named '%s'; this command began it: %s".formatted(unknown.name(), run.reproduce()));
    }
  }

  /** As they stand in a command that does a run again, with a space before each. */
  String asOptions() {
    StringBuilder text = new StringBuilder();
    values().forEach((option, all) -> all.forEach(value -> text.append(' ').append(option).append(' ').append(ShellWord.of(value))));
    return text.toString();
  }
}
