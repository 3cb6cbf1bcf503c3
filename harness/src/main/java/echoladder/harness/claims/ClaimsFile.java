package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.common.YamlTree;
import echoladder.harness.study.StudyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * claims.yaml, read and checked; everything that is wrong is said at once, before anything is started.
 *
 * @param question of the study
 * @param memoryBytes what each workload may hold
 * @param timeNs how long one run may take
 * @param claims in the file's order
 * @param sentences what to believe by their verdicts, in the file's order
 * @param climbs the folder of the small studies that claims climb
 * @param takes how long steps take by their {@code takes}, in ns, see {@link StepTimes}
 */
public record ClaimsFile(
    String question, long memoryBytes, long timeNs, List<Claim> claims, List<Sentence> sentences, Path climbs, Map<String, Long> takes) {
  private static final int REPEATS = 3;

  public ClaimsFile {
    claims = List.copyOf(claims);
    sentences = List.copyOf(sentences);
    takes = Map.copyOf(takes);
  }

  /**
   * Reads the claims.yaml beside a study.yaml.
   *
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public static ClaimsFile read(Checkout checkout, StudyFile study, List<YamlSetting> settings) {
    Path file = study.path().resolveSibling("claims.yaml");
    YamlTree yaml = YamlTree.read(file, checkout.display(file));
    for (YamlSetting setting : settings) {
      yaml = yaml.with(setting);
    }
    Refusal.badUsageIfAny(new YamlSchema("claims").complaints(yaml));
    List<String> complaints = new ArrayList<>();
    Map<String, Origin> sources = Origin.all(yaml.root().get("sources"));
    List<Claim> claims = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < yaml.root().get("claims").size(); i++) {
      String at = yaml.at("/claims/" + i);
      Claim claim = claim(yaml.root().get("claims").get(i), sources, at, file.resolveSibling("climbs"), complaints);
      claims.add(claim);
      if (!ids.add(claim.id())) {
        complaints.add(at + ": a second claim '" + claim.id() + "'");
      }
    }
    List<Sentence> sentences = Sentence.read(yaml, claims, complaints);
    Refusal.badUsageIfAny(complaints);
    return new ClaimsFile(
        study.yaml().root().path("question").asString(""),
        Quantity.memory(yaml.root().get("memory_limit").asString()),
        Quantity.ns(yaml.root().path("time_limit").asString("10m")),
        claims,
        sentences,
        file.resolveSibling("climbs"),
        takes(yaml.root().get("claims")));
  }

  private static Map<String, Long> takes(JsonNode claims) {
    Map<String, Long> takes = new HashMap<>();
    for (JsonNode claim : claims) {
      for (JsonNode step : claim.path("steps")) {
        String id = claim.get("id").asString();
        String name = step.get("name").asString();
        if (step.has("takes")) {
          takes.put(StepTimes.key(id, name, Effort.FULL), Quantity.ns(step.get("takes").asString()));
        }
        JsonNode quick = step.path(step.path("quick").isString() ? "quick_takes" : "takes");
        if (!quick.isMissingNode()) {
          takes.put(StepTimes.key(id, name, Effort.QUICK), Quantity.ns(quick.asString()));
        }
      }
    }
    return takes;
  }

  /**
   * Those of these ids, or of these topics, in the file's order; all where none is named.
   *
   * @throws Refusal (bad usage) naming the known ones, or where both are given
   */
  public List<Claim> only(List<String> ids, List<String> topics) {
    if (!ids.isEmpty() && !topics.isEmpty()) {
      throw Refusal.badUsage("--only names claims, --topic all claims of a topic; leave one of them out");
    }
    refuseUnknown("--only", "claim", ids, claims.stream().map(Claim::id).toList());
    refuseUnknown("--topic", "topic", topics, claims.stream().map(ClaimsFile::topic).distinct().sorted().map(Topic::id).toList());
    return claims.stream()
        .filter(claim -> ids.isEmpty() || ids.contains(claim.id()))
        .filter(claim -> topics.isEmpty() || topics.contains(topic(claim).id()))
        .toList();
  }

  private static void refuseUnknown(String option, String what, List<String> named, List<String> known) {
    for (String name : named) {
      if (!known.contains(name)) {
        throw Refusal.badUsage(
            "%s %s: there is no such %s; known %ss: %s".formatted(option, name, what, what, String.join(", ", known)));
      }
    }
  }

  /** The topic of a claim that was read from a file, where each has one. */
  private static Topic topic(Claim claim) {
    return Objects.requireNonNull(claim.topic());
  }

  private static Claim claim(JsonNode node, Map<String, Origin> known, String at, Path climbs, List<String> complaints) {
    List<Origin> sources = Origin.named(node.get("source"), known, at, complaints);
    List<Claim.Step> steps = new ArrayList<>();
    node.path("steps").forEach(step -> steps.add(step(step)));
    Set<String> names = new HashSet<>(steps.stream().map(Claim.Step::name).toList());
    if (names.size() < steps.size()) {
      complaints.add(at + ": two steps have one name");
    }
    if (names.contains(StepRun.SOURCE)) {
      complaints.add(at + ": no step may have the name '" + StepRun.SOURCE + "', which stands for the source's own figures");
    }
    Kind kind = constant(Kind.class, node, "kind");
    Map<String, Double> figures = SourceFigures.read(node.path("figures"), at, complaints);
    if ((kind == Kind.ARITHMETIC) == figures.isEmpty()) {
      complaints.add(at + ": 'figures', the source's own, are of arithmetic claims, which need them");
    }
    RuleReader reader = new RuleReader(at, kind, names, figures, complaints);
    List<Rule> rules = reader.read(node.path("rules"));
    for (Claim.Step step : steps) {
      if (step.language() == Claim.Language.LADDER && !step.env().isEmpty()) {
        complaints.add(at + ": the step '" + step.name() + "' is a climb, which takes no 'env'");
      }
      if (step.language() == Claim.Language.LADDER && !Files.isRegularFile(StepClimb.study(climbs, step))) {
        complaints.add(at + ": there is no study " + StepClimb.study(climbs, step));
      }
    }
    String cannot = text(node, "cannot");
    if ((cannot == null) == (rules.isEmpty() || (steps.isEmpty() && figures.isEmpty()))) {
      complaints.add(at + ": either 'cannot', or 'steps' (of an arithmetic claim 'figures') and 'rules'");
    }
    List<Rule.Shown> beside = new ArrayList<>();
    node.path("beside").forEach(shown -> beside.add(Rule.Shown.parse(shown.asString())));
    reader.refuseUnknown(beside.stream().flatMap(shown -> shown.figures().stream()).map(Rule.StepFigure::step).toList(), "'beside'");
    List<Claim.Plot> plots = new ArrayList<>();
    node.path("plots").forEach(plot -> plots.add(plot(plot, at, complaints)));
    return new Claim(
        node.get("id").asString(),
        node.get("said").asString().strip(),
        constant(Topic.class, node, "topic"),
        kind,
        Origin.joined(sources, Origin::who),
        Origin.joined(sources, Origin::whole),
        node.get("published").asString().strip(),
        node.get("host").asString().strip(),
        text(node, "differs"),
        figures,
        text(node, "question"),
        node.path("repeats").asInt(REPEATS),
        node.path("quick_repeats").asInt(1),
        needs(node.path("needs")),
        cannot,
        steps,
        rules,
        beside,
        plots);
  }

  /** By the name that the schema allows. */
  private static <E extends Enum<E>> E constant(Class<E> type, JsonNode node, String key) {
    return Enum.valueOf(type, node.get(key).asString().toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static Claim.Plot plot(JsonNode node, String at, List<String> complaints) {
    if (node.has("over_time") == (node.has("figure") || node.has("across"))) {
      complaints.add(at + ": a plot has 'figure' and 'across', or 'over_time' alone; not " + node);
    }
    return node.has("over_time")
        ? new Claim.Plot(node.get("over_time").asString(), "time", true)
        : new Claim.Plot(node.path("figure").asString(""), node.path("across").asString(""), false);
  }

  private static Claim.Needs needs(JsonNode node) {
    return new Claim.Needs(
        node.path("processors").asInt(1),
        node.path("descriptors").asLong(0),
        node.path("tasks").asLong(0),
        node.has("jdk") ? (Integer) node.get("jdk").asInt() : null);
  }

  private static Map<String, String> env(JsonNode node) {
    Map<String, String> env = new LinkedHashMap<>();
    node.properties().forEach(variable -> env.put(variable.getKey(), variable.getValue().asString()));
    return env;
  }

  private static Claim.Step step(JsonNode node) {
    String[] run = node.get("run").asString().split(" ", 2);
    Map<Effort, List<String>> args = new EnumMap<>(Effort.class);
    List<String> full = words(node.get("args").asString());
    args.put(Effort.FULL, full);
    JsonNode quick = node.path("quick");
    if (quick.isString()) {
      args.put(Effort.QUICK, words(quick.asString()));
    } else if (quick.asBoolean(true)) {
      args.put(Effort.QUICK, full);
    }
    return new Claim.Step(
        node.get("name").asString(),
        Claim.Language.valueOf(run[0].toUpperCase(Locale.ROOT)),
        run[1],
        node.has("jdk") ? (Integer) node.get("jdk").asInt() : null,
        words(node.path("jvm").asString("")),
        env(node.path("env")),
        args,
        node.has("x") ? (Double) node.get("x").asDouble() : null,
        text(node, "line"));
  }

  private static @Nullable String text(JsonNode node, String key) {
    return node.has(key) ? node.get(key).asString().strip() : null;
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }
}
