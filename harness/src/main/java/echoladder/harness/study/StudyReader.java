package echoladder.harness.study;

import echoladder.client.Schedule;
import echoladder.harness.client.LoadTool;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.common.YamlTree;
import echoladder.harness.lab.LabMark;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds, checks and reads studies. Everything that is wrong is said at once, and nothing has been started by then. */
public final class StudyReader {
  /** The most messages per second that a load may have, see LoadPlan. */
  private static final double MOST_PER_S = 10_000_000;

  /** Enough for a median and its spread. */
  private static final int DEFAULT_REPEATS = 3;

  private final Checkout checkout;
  private final Map<String, ServerManifest> servers;
  private final boolean inLab;

  /**
   * @param checkout where studies by name lie
   * @param servers the known servers by name
   */
  public StudyReader(Checkout checkout, Map<String, ServerManifest> servers) {
    this(checkout, servers, LabMark.here() != null);
  }

  /** With {@code inLab}, a study's {@code in_lab} counts. */
  StudyReader(Checkout checkout, Map<String, ServerManifest> servers, boolean inLab) {
    this.checkout = checkout;
    this.servers = new TreeMap<>(servers);
    this.inLab = inLab;
  }

  /** The names of the studies of the checkout, sorted. */
  public static List<String> known(Checkout checkout) {
    if (!Files.isDirectory(checkout.studies())) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(checkout.studies())) {
      return folders
          .filter(folder -> Files.isRegularFile(folder.resolve("study.yaml")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + checkout.studies(), e);
    }
  }

  /**
   * Reads a study.
   *
   * @param nameOrPath a study's name, or the path of a study.yaml or of its folder
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public Study read(String nameOrPath) {
    return read(nameOrPath, Selection.ALL);
  }

  /**
   * Reads what the command line takes of a study.
   *
   * @throws Refusal (bad usage) also where the study has no such server or there is no such client
   */
  public Study read(String nameOrPath, Selection selection) {
    return read(locate(nameOrPath), selection);
  }

  private Path locate(String nameOrPath) {
    return locate(checkout, nameOrPath);
  }

  /**
   * The study.yaml that a user names.
   *
   * @throws Refusal (bad usage) where there is none, naming those that there are
   */
  public static Path locate(Checkout checkout, String nameOrPath) {
    Path named = checkout.studies().resolve(nameOrPath).resolve("study.yaml");
    boolean isName = nameOrPath.matches("[A-Za-z0-9_-]+");
    if (isName && Files.isRegularFile(named)) {
      return named;
    }
    Path path = Path.of(nameOrPath);
    Path file = Files.isDirectory(path) ? path.resolve("study.yaml") : path;
    if (Files.isRegularFile(file)) {
      return file;
    }
    throw Refusal.badUsage(
        (isName ? "there is no study '" + nameOrPath + "'" : "there is no study file " + file)
            + "; known studies: "
            + String.join(", ", known(checkout))
            + "; or give the path of a study.yaml");
  }

  private Study read(Path file, Selection selection) {
    YamlTree asWritten = YamlTree.read(file, checkout.display(file));
    // Both are checked, so that a study with a mistake in its in_lab is not found out only there.
    YamlTree outside = with(asWritten, selection.settings());
    refuseIfAny(new YamlSchema("study").complaints(outside));
    YamlTree inside = with(with(asWritten, inLab(asWritten)), selection.settings());
    refuseIfAny(new YamlSchema("study").complaints(inside));
    YamlTree yaml = inLab ? inside : outside;
    String client = selection.client();
    if (client != null && !LoadTool.known(client)) {
      throw Refusal.badUsage("--client " + client + ": there is no such client; known: " + LoadTool.all());
    }
    Axes axes = new Axes(yaml, servers);
    List<String> wrong = new ArrayList<>(axes.complaints());
    Study written = study(yaml, client, axes.asWritten());
    Study study = wrong.isEmpty() ? study(yaml, client, axes.expanded()) : written;
    // With axes that are wrong nobody knows which labels there would be.
    Set<String> labels = labels(study, wrong.isEmpty() ? selection.labels() : List.of());
    StudyChecks checks = new StudyChecks(yaml, servers);
    Study climbed = study.only(labels);
    Set<String> bases = climbed.servers().stream().map(Study.Entry::base).collect(Collectors.toSet());
    wrong.addAll(checks.complaints(written, bases, folderName(file)));
    wrong.addAll(checks.loads(study));
    refuseIfAny(wrong);
    return climbed;
  }

  private static YamlTree with(YamlTree yaml, List<YamlSetting> settings) {
    YamlTree all = yaml;
    for (YamlSetting setting : settings) {
      all = all.with(setting);
    }
    return all;
  }

  /** The study's own settings for a place where times mean nothing and system calls are dear. */
  private static List<YamlSetting> inLab(YamlTree yaml) {
    return yaml.root().path("in_lab").properties().stream()
        .map(setting -> YamlSetting.parse(setting.getKey() + "=" + setting.getValue().asString()))
        .toList();
  }

  /** The labels of the entries that are chosen, by their own or by that of the server that they are made from. */
  private static Set<String> labels(Study study, List<String> chosen) {
    Set<String> labels = new TreeSet<>();
    for (String label : chosen) {
      List<String> of =
          study.servers().stream()
              .filter(entry -> entry.label().equals(label) || entry.base().equals(label))
              .map(Study.Entry::label)
              .toList();
      if (of.isEmpty()) {
        String there = study.servers().stream().map(Study.Entry::label).collect(Collectors.joining(", "));
        throw Refusal.badUsage(
            "--servers %s: study '%s' has no such server; it has %s".formatted(label, study.name(), there));
      }
      labels.addAll(of);
    }
    return chosen.isEmpty() ? study.servers().stream().map(Study.Entry::label).collect(Collectors.toSet()) : labels;
  }

  /** The folder whose name the study must bear; null for a file outside of studies/, or beside a study.yaml there. */
  private @Nullable String folderName(Path file) {
    if (!file.endsWith("study.yaml")) {
      return null;
    }
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    return folder != null && checkout.studies().equals(folder.getParent()) ? folder.getFileName().toString() : null;
  }

  private static void refuseIfAny(List<String> complaints) {
    if (!complaints.isEmpty()) {
      throw Refusal.badUsage(String.join("\n", complaints));
    }
  }

  static double mostPerSecond() {
    return MOST_PER_S;
  }

  private static Study study(YamlTree yaml, @Nullable String override, List<Axes.Expanded> servers) {
    JsonNode root = yaml.root();
    boolean staged = StagedReader.is(root);
    Study.Load load = staged ? StagedReader.load(yaml) : load(root.get("load"));
    Study.Phases phases = phases(root.path("phases"));
    List<Integer> rungs = new ArrayList<>();
    root.path("rungs").forEach(rung -> rungs.add(rung.asInt()));
    String client = override != null ? override : root.path("client").asString(LoadTool.OPEN_LOOP.id());
    List<Study.Entry> entries = new ArrayList<>();
    for (Axes.Expanded server : servers) {
      Study.Entry entry = entry(root.get("load"), server.node(), client, override != null);
      entries.add(server.point() == null ? entry : entry.at(server.point()));
    }
    return new Study(
        root.get("name").asString(),
        root.get("question").asString(),
        client,
        entries,
        staged ? StagedReader.rungs(load) : rungs,
        staged ? 1 : root.path("repeats").asInt(DEFAULT_REPEATS),
        load,
        staged ? StagedReader.phases(phases, load) : phases,
        bounds(root.path("bounds"), staged),
        thresholds(root.path("thresholds"), staged),
        root.has("lab") ? lab(root.get("lab")) : null);
  }

  private static Study.Entry entry(JsonNode study, JsonNode server, String client, boolean overridden) {
    if (server.isString()) {
      return Study.Entry.plain(server.asString(), server.asString(), client, Map.of());
    }
    String name = server.get("name").asString();
    Map<String, String> options = new TreeMap<>();
    server.path("options").properties().forEach(o -> options.put(o.getKey(), o.getValue().asString()));
    String own = overridden ? client : server.path("client").asString(client);
    return new Study.Entry(
        server.path("label").asString(name),
        name,
        own,
        options,
        SettingsReader.settings(server.path("settings")),
        server.has("load") ? load(SettingsReader.over(study, server.get("load"))) : null,
        server.has("expect_limit") ? KnownLimit.ofId(server.get("expect_limit").asString()) : null,
        server.has("jdk") ? server.get("jdk").asString() : null,
        null);
  }

  private static Study.Load load(JsonNode load) {
    JsonNode rate = load.get("rate");
    return new Study.Load(
        rate.has("total") ? (Double) Quantity.perSecond(rate.get("total").asString()) : null,
        rate.has("per_connection") ? (Double) Quantity.perSecond(rate.get("per_connection").asString()) : null,
        (int) Quantity.bytes(load.path("message").asString("64B")),
        Schedule.valueOf(load.path("schedule").asString("constant").toUpperCase(Locale.ROOT)),
        load.path("active_share").asDouble(1),
        load.path("in_flight").asInt(1),
        load.path("seed").asLong(1),
        null);
  }

  private static Study.Phases phases(JsonNode phases) {
    JsonNode echoes = phases.path("warm_up_echoes");
    return new Study.Phases(
        Quantity.perSecond(phases.path("connect_rate").asString("5000/s")),
        Quantity.ns(phases.path("connect_timeout").asString("10s")),
        Quantity.ns(phases.path("warm_up_min").asString("2s")),
        Quantity.ns(phases.path("warm_up_max").asString("10s")),
        echoes.isMissingNode() ? null : (Long) echoes.asLong(),
        time(phases, "steady", 0),
        Quantity.ns(phases.path("drain").asString("5s")));
  }

  /** Users in stages ask how far a server falls behind: no response time ends that, and no share of answers spoils it. */
  private static Study.Bounds bounds(JsonNode bounds, boolean staged) {
    Study.Bounds or = staged ? Study.Bounds.STAGED : Study.Bounds.DEFAULT;
    return new Study.Bounds(
        time(bounds, "response_time_p99", or.responseTimeP99Ns()), time(bounds, "server_start", or.serverStartNs()));
  }

  private static Study.Thresholds thresholds(JsonNode thresholds, boolean staged) {
    Study.Thresholds or = staged ? Study.Thresholds.STAGED : Study.Thresholds.DEFAULT;
    return new Study.Thresholds(
        thresholds.path("achieved_share_least").asDouble(or.achievedShareLeast()),
        thresholds.path("late_share_most").asDouble(or.lateShareMost()),
        time(thresholds, "hiccup_most", or.hiccupMostNs()),
        thresholds.path("host_idle_share_least").asDouble(or.hostIdleShareLeast()),
        thresholds.path("steal_share_most").asDouble(or.stealShareMost()),
        thresholds.path("foreign_cpu_share_most").asDouble(or.foreignCpuShareMost()));
  }

  private static Study.Lab lab(JsonNode lab) {
    return new Study.Lab(
        Quantity.memory(lab.get("memory").asString()), Quantity.ns(lab.path("timeout").asString("60m")));
  }

  private static long time(JsonNode map, String key, long otherwise) {
    return map.has(key) ? Quantity.ns(map.get(key).asString()) : otherwise;
  }
}
