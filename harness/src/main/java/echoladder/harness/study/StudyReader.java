package echoladder.harness.study;

import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.common.YamlTree;
import echoladder.harness.lab.LabMark;
import echoladder.harness.server.ServerManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds, checks and reads studies. Everything that is wrong is said at once, and nothing has been started by then. */
public final class StudyReader {
  /** The most messages per second that a load may have, see LoadPlan. */
  private static final double MOST_PER_S = 10_000_000;

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
    return read(StudyFile.named(checkout, nameOrPath), selection);
  }

  /**
   * Reads what the command line takes of a study that has been found and read as YAML; fails as {@link #read(String,
   * Selection)} does.
   */
  public Study read(StudyFile file, Selection selection) {
    YamlTree asWritten = file.yaml();
    // Both are checked, so that a study with a mistake in its in_lab is not found out only there.
    YamlSchema schema = LoadTools.schemaOfStudies();
    YamlTree outside = schema.inOneForm(with(asWritten, selection.settings()));
    Refusal.badUsageIfAny(schema.complaints(outside));
    YamlTree inside = schema.inOneForm(with(with(asWritten, inLab(asWritten)), selection.settings()));
    Refusal.badUsageIfAny(schema.complaints(inside));
    YamlTree yaml = EntryChoice.added(inLab ? inside : outside, selection.labels(), servers);
    String client = selection.client();
    if (client != null && !LoadTools.known(client)) {
      throw Refusal.badUsage("--client " + client + ": there is no such client; known: " + LoadTools.names());
    }
    Axes axes = new Axes(yaml, servers);
    List<String> wrong = new ArrayList<>(axes.complaints());
    Optional<KnobEntries> knobs = KnobEntries.of(yaml, StudyKeys.study(yaml.root()), checkout, servers);
    knobs.ifPresent(of -> wrong.addAll(of.complaints(selection.labels())));
    Study written = study(yaml, client, axes.asWritten());
    List<Axes.Expanded> expanded = knobs.map(of -> of.expanded(axes.asWritten())).orElseGet(axes::expanded);
    Study study = wrong.isEmpty() ? study(yaml, client, expanded) : written;
    // With axes that are wrong nobody knows which labels there would be.
    Set<String> labels = labels(study, wrong.isEmpty() ? selection.labels() : List.of());
    StudyChecks checks = new StudyChecks(yaml, servers, inLab);
    Study climbed = study.only(labels);
    Set<String> bases = climbed.servers().stream().map(Study.Entry::base).collect(Collectors.toSet());
    wrong.addAll(checks.complaints(written, bases, folderName(file.path())));
    wrong.addAll(checks.unfit(written, study, labels));
    wrong.addAll(checks.loads(study));
    Refusal.badUsageIfAny(wrong);
    Study chosen = EntryChoice.of(climbed, selection.labels(), servers);
    return knobs.map(of -> chosen.of(of.tuned(chosen))).orElse(chosen);
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
    for (String text : chosen) {
      String label = EntryChoice.labelOf(text);
      List<String> of =
          study.servers().stream()
              .filter(entry -> entry.label().equals(label) || entry.base().equals(label))
              .map(Study.Entry::label)
              .toList();
      if (of.isEmpty()) {
        throw Refusal.badUsage(
            "--servers %s: study '%s' has no such server; it has %s; nor is there a folder servers/%s with a server.yaml"
                .formatted(label, study.name(), there(study), label));
      }
      labels.addAll(of);
    }
    return chosen.isEmpty() ? study.servers().stream().map(Study.Entry::label).collect(Collectors.toSet()) : labels;
  }

  /** The servers of a study, and one example of the many entries that may be made from them. */
  private static String there(Study study) {
    String servers = study.servers().stream().map(Study.Entry::base).distinct().collect(Collectors.joining(", "));
    return study.servers().stream()
        .map(Study.Entry::label)
        .filter(label -> study.servers().stream().noneMatch(entry -> entry.base().equals(label)))
        .findFirst()
        .map(made -> servers + ", and entries made from them, such as " + made)
        .orElse(servers);
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

  static double mostPerSecond() {
    return MOST_PER_S;
  }

  private Study study(YamlTree yaml, @Nullable String override, List<Axes.Expanded> servers) {
    ObjectNode root = StudyKeys.study(yaml.root());
    if (override != null) {
      root.put("client", override);
    }
    List<Study.Entry> entries = new ArrayList<>();
    for (Axes.Expanded server : servers) {
      Study.Entry alone = entry(yaml.root(), server.node(), root.get("client"), override != null);
      boolean pushes = alone.load() == null ? root.get("load").has("publish") : alone.load().publish() != null;
      boolean tls = alone.load() == null ? TlsChecks.asked(root.get("load")) : alone.load().tls() != null;
      Study.Entry entry = EntryChoice.resolved(alone, pushes, tls, this.servers);
      entries.add(server.knob() != null ? entry.at(server.knob()) : server.point() == null ? entry : entry.at(server.point()));
    }
    if (!StagedReader.is(root)) {
      return RecordReader.read(Study.class, root, Map.of("servers", entries));
    }
    StudyLoad load = StagedReader.load(yaml);
    Study.Phases phases = StagedReader.phases(RecordReader.read(Study.Phases.class, root.get("phases")), load);
    return RecordReader.read(
        Study.class,
        root,
        Map.of("servers", entries, "load", load, "phases", phases, "rungs", StagedReader.rungs(load)));
  }

  /** An entry by itself: load and network are the study's, but for what the entry says of them. */
  private static Study.Entry entry(JsonNode study, JsonNode server, JsonNode client, boolean overridden) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    ObjectNode said = server.isString() ? nodes.objectNode().set("name", server) : (ObjectNode) server.deepCopy();
    said.put("label", EntryChoice.label(said));
    EntryChoice.intoOptions(said);
    JsonNode load = said.remove("load");
    ObjectNode network = nodes.objectNode();
    if (study.get("network") instanceof ObjectNode common) {
      network.setAll(common);
    }
    if (said.remove("network") instanceof ObjectNode own) {
      network.setAll(own);
    }
    ObjectNode entry = StudyKeys.part("/$defs/server", said);
    if (overridden || !entry.has("client")) {
      entry.set("client", client);
    }
    if (!network.isEmpty()) {
      entry.withObjectProperty("settings").set("network", StudyKeys.part("/$defs/network", network));
    }
    if (load instanceof ObjectNode own) {
      entry.set("load", StudyKeys.part("/$defs/load", ((ObjectNode) study.get("load").deepCopy()).setAll(own)));
    }
    return RecordReader.read(Study.Entry.class, entry);
  }
}
