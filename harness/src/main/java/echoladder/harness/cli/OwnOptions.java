package echoladder.harness.cli;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.ShellWord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.linux.EphemeralPorts;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --own}: a server that the project knows nothing of is climbed beside the floor of its protocol. */
final class OwnOptions {
  /**
   * All of them, in the order of {@link #values}. Who goes on with a run gives them again: the folder may be somebody else's, and
   * a command is not that person's to give.
   */
  static final List<String> NAMES =
      List.of("--own", "--own-pid", "--port", "--protocol", "--name", "--path", "--request", "--expect-status");

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final String LABEL = "own";
  private static final int OK = 200;

  @Option(
      names = "--own",
      paramLabel = "COMMAND",
      description = "Climb a server of your own: the command (for sh, in this folder) is started anew for each rung, and stopped with all"
          + " that it has started. It has to accept at --port of 127.0.0.1 and to echo. The study gives rungs and load; of its servers"
          + " the floor is climbed beside yours, or those of --servers.")
  private @Nullable String command;

  @Option(
      names = "--own-pid",
      paramLabel = "PID",
      description = "The same with a server that runs already: it is neither signalled nor restarted.")
  private @Nullable Long pid;

  @Option(names = "--port", paramLabel = "PORT", description = "Where it accepts, on 127.0.0.1.")
  private @Nullable Integer port;

  @Option(names = "--protocol", paramLabel = "NAME", description = "What it speaks: tcp (the default), http or websocket.")
  private @Nullable String protocol;

  @Option(names = "--name", paramLabel = "LABEL", description = "What it is called in the report. Default: " + LABEL + ".")
  private @Nullable String name;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description = "Over HTTP: where messages are posted, which have to come back. Over WebSocket: where the upgrade is asked for. Default: /echo.")
  private @Nullable String path;

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "Over HTTP: a request that is sent in place of the message: a line METHOD PATH, headers, an empty line, the body."
          + " Answers are told by their status alone.")
  private @Nullable Path request;

  @Option(
      names = "--expect-status",
      paramLabel = "STATUS",
      description = "Over HTTP: the status of a right answer, 200 unless told otherwise. With --path and without --request the path is"
          + " asked for by GET, and answers are told by their status alone.")
  private @Nullable Integer status;

  private @Nullable OwnServer server;

  /** Refuses one of the user's own where the study is of claims, which are about others. */
  void refuseOfClaims(String study) {
    if (given()) {
      throw Refusal.badUsage("--own: study '" + study + "' is of claims about other servers; take another one, e.g. quick");
    }
  }

  /** Refuses both at once. */
  void refuseBeside(AttachOptions attach) {
    if (given() && attach.given()) {
      throw Refusal.badUsage("--own climbs a server of your own on this host, and --attach one elsewhere; leave one of them out");
    }
  }

  /** Whether there is such a server. */
  boolean given() {
    return command != null || pid != null;
  }

  /**
   * The known servers, with the user's own among them where there is one.
   *
   * @throws Refusal (bad usage) where the options do not fit each other or the servers
   */
  Map<String, ServerManifest> among(Map<String, ServerManifest> known) {
    OwnServer own = read();
    if (own == null) {
      return known;
    }
    if (known.containsKey(own.name())) {
      throw Refusal.badUsage("--name %s: the project has a server of that name; give yours another one".formatted(own.name()));
    }
    server = own;
    Map<String, ServerManifest> all = new TreeMap<>(known);
    all.put(own.name(), own.manifest());
    return all;
  }

  private @Nullable OwnServer read() {
    if (!given()) {
      if (!others().isEmpty()) {
        throw Refusal.badUsage(others().getFirst() + " goes with --own 'COMMAND' or --own-pid PID");
      }
      return null;
    }
    String what = command != null ? "--own" : "--own-pid";
    if (command != null && pid != null) {
      throw Refusal.badUsage("--own starts a server and --own-pid takes one that runs; leave one of them out");
    }
    if (command != null && command.isBlank()) {
      throw Refusal.badUsage("--own: the command is empty");
    }
    if (port == null) {
      throw Refusal.badUsage(what + " needs --port PORT, where the server accepts on 127.0.0.1");
    }
    if (port < 1 || port > 65_535) {
      throw Refusal.badUsage("--port " + port + " is not from 1 to 65535");
    }
    String label = name == null ? LABEL : name;
    if (!NAME.matcher(label).matches()) {
      throw Refusal.badUsage("--name '" + label + "' is no label: lower-case letters, digits and '-', at most 64");
    }
    Protocol speaks = speaks();
    return new OwnServer(label, command, pid, port, speaks, ask(speaks, new Target(OwnServer.HOST, port)));
  }

  /** The options that are given, with their values as text. */
  private Map<String, String> values() {
    List<@Nullable Object> values = Arrays.asList(command, pid, port, protocol, name, path, request, status);
    Map<String, String> given = new LinkedHashMap<>();
    for (int i = 0; i < NAMES.size(); i++) {
      Object value = values.get(i);
      if (value != null) {
        given.put(NAMES.get(i), value.toString());
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
    overHttp.retainAll(List.of("--path", "--request", "--expect-status"));
    if (speaks == Protocol.WEBSOCKET) {
      overHttp.remove("--path");
    }
    if (speaks != Protocol.HTTP && !overHttp.isEmpty()) {
      throw Refusal.badUsage(overHttp.getFirst() + " goes with --protocol http" + (overHttp.getFirst().equals("--path") ? " or websocket" : ""));
    }
    int right = status == null ? OK : status;
    try {
      if (request != null) {
        if (path != null) {
          throw Refusal.badUsage("--request has its own path in its first line; leave --path out");
        }
        return HttpAsk.of(Files.readString(request, StandardCharsets.ISO_8859_1), target, right);
      }
      String asked = path == null ? HttpAsk.ECHO.path() : path;
      HttpAsk echo = new HttpAsk(asked, null, right);
      return status == null ? echo : HttpAsk.get(asked, target, right);
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage("--request " + request + ": there is no such file");
    } catch (IOException e) {
      throw Refusal.badUsage("--request " + request + " cannot be read: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      String wrong = String.valueOf(e.getMessage());
      String option = wrong.startsWith("status: ") ? "--expect-" : request != null ? "--request " + request + ": " : "--";
      throw Refusal.badUsage(option + wrong);
    }
  }

  /** The study with the user's server, see {@link OwnInStudy}. */
  Study into(Study study, Map<String, ServerManifest> servers, Selection selection) {
    return server == null ? study : OwnInStudy.of(server, study, servers, selection);
  }

  /**
   * Looks, before anything is created, whether it can be started, or runs.
   *
   * @param note is told what will not be known of it
   * @throws Refusal (cannot run) where it cannot
   */
  void look(Consumer<String> note) {
    OwnServer own = server;
    if (own == null) {
      return;
    }
    own.look();
    note.accept(
        ("'%s' has no metrics page: its live heap, collections, hiccups, failed accepts and its own counts are not known; CPU, RSS, threads,"
                + " switches and descriptors are those of %s and all that it starts")
            .formatted(own.name(), own.pid() == null ? "the command's process" : "process " + own.pid()));
    if (own.ask().request() != null) {
      note.accept("answers of '%s' are told by their status, %d; their bodies are not compared".formatted(own.name(), own.ask().status()));
    }
    EphemeralPorts range = EphemeralPorts.read();
    if (own.pid() == null && own.port() >= range.first() && own.port() <= range.last()) {
      System.err.printf(
          "ladder: port %d is one of those that the kernel gives to clients (%d-%d), so that another connection may have it when the server starts anew;"
              + " see runbooks/symptoms/reserved-ports.md%n",
          own.port(), range.first(), range.last());
    }
  }

  /**
   * Refuses to go on with a run that had a server of its own without being told of it again.
   *
   * @throws Refusal (bad usage) where this command line names none, or another
   */
  void refuseAnother(RunRecord run) {
    List<String> had = run.servers().stream().filter(of -> of.own() != null).map(RunRecord.ServerRecord::label).toList();
    OwnServer own = server;
    if (own == null ? !had.isEmpty() : !had.contains(own.name())) {
      throw Refusal.badUsage(
          own == null
              ? "the run climbed a server of its user's own, '%s', and its record alone does not make that command yours: give it again, as in: %s"
                  .formatted(had.getFirst(), run.reproduce())
              : "the run climbed no server of its user's own named '%s'; it was begun by: %s".formatted(own.name(), run.reproduce()));
    }
  }

  /** As they stand in a command that does a run again, with a space before each. */
  String asOptions() {
    StringBuilder text = new StringBuilder();
    values().forEach((option, value) -> text.append(' ').append(option).append(' ').append(ShellWord.of(value)));
    return text.toString();
  }
}
