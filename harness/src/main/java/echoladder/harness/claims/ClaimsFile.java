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
 */
public record ClaimsFile(String question, long memoryBytes, long timeNs, List<Claim> claims, List<Sentence> sentences, Path climbs) {
  private static final int REPEATS = 3;

  public ClaimsFile {
    claims = List.copyOf(claims);
    sentences = List.copyOf(sentences);
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
        file.resolveSibling("climbs"));
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

  /** Of a claim that was read from a file, each of which has one. */
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
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : node.path("rules")) {
      rule(rule, at, names, rules, complaints);
    }
    for (Claim.Step step : steps) {
      if (step.language() == Claim.Language.LADDER && !step.env().isEmpty()) {
        complaints.add(at + ": the step '" + step.name() + "' is a climb, which takes no 'env'");
      }
      if (step.language() == Claim.Language.LADDER && !Files.isRegularFile(StepClimb.study(climbs, step))) {
        complaints.add(at + ": there is no study " + StepClimb.study(climbs, step));
      }
    }
    String cannot = text(node, "cannot");
    if ((cannot == null) == (steps.isEmpty() || rules.isEmpty())) {
      complaints.add(at + ": either 'cannot', or 'steps' and 'rules'");
    }
    List<Rule.Shown> beside = new ArrayList<>();
    node.path("beside").forEach(shown -> beside.add(Rule.Shown.parse(shown.asString())));
    List<String> besides = beside.stream().flatMap(shown -> shown.figures().stream()).map(Rule.StepFigure::step).toList();
    refuseUnknown(besides, names, at + ": 'beside'", complaints);
    List<Claim.Plot> plots = new ArrayList<>();
    node.path("plots").forEach(plot -> plots.add(plot(plot, at, complaints)));
    return new Claim(
        node.get("id").asString(),
        node.get("said").asString().strip(),
        constant(Topic.class, node, "topic"),
        constant(Kind.class, node, "kind"),
        Origin.joined(sources, Origin::who),
        Origin.joined(sources, Origin::whole),
        node.get("published").asString().strip(),
        node.get("host").asString().strip(),
        text(node, "differs"),
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

  private static void refuseUnknown(List<String> named, Set<String> steps, String who, List<String> complaints) {
    named.stream()
        .filter(step -> !steps.contains(step))
        .forEach(step -> complaints.add(who + " names the step '" + step + "', which it does not have"));
  }

  private static Claim.Needs needs(JsonNode node) {
    return new Claim.Needs(
        node.path("processors").asInt(1),
        node.path("descriptors").asLong(0),
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

  private static void rule(
      JsonNode node, String at, Set<String> steps, List<Rule> into, List<String> complaints) {
    List<String> named = new ArrayList<>();
    Rule rule = null;
    if (node.has("take") && (node.has("least") || node.has("most"))) {
      Rule.StepFigure take = Rule.StepFigure.parse(node.get("take").asString());
      Rule.StepFigure over = node.has("over") ? Rule.StepFigure.parse(node.get("over").asString()) : null;
      rule = new Rule.Within(take, over, bound(node, "least", at, complaints), bound(node, "most", at, complaints));
      named.add(take.step());
      named.add(over == null ? take.step() : over.step());
    } else if (node.has("ascending")) {
      List<Rule.StepFigure> figures = new ArrayList<>();
      node.get("ascending").forEach(f -> figures.add(Rule.StepFigure.parse(f.asString())));
      figures.forEach(f -> named.add(f.step()));
      rule = new Rule.Ascending(figures);
    } else if (node.has("step") && node.has("ends")) {
      List<String> ways = new ArrayList<>();
      node.get("ends").forEach(way -> ways.add(way.asString()));
      named.add(node.get("step").asString());
      rule = new Rule.Ends(node.get("step").asString(), ways, text(node, "words"));
    }
    if (rule == null) {
      complaints.add(at + ": a rule has 'take' with 'least' or 'most', or 'ascending', or 'step' with 'ends'; not " + node);
      return;
    }
    refuseUnknown(named, steps, at + ": a rule", complaints);
    into.add(rule);
  }

  /** A number, or a quantity in ns or bytes. */
  private static @Nullable Double bound(JsonNode rule, String key, String at, List<String> complaints) {
    JsonNode value = rule.path(key);
    if (value.isMissingNode() || value.isNumber()) {
      return value.isMissingNode() ? null : (Double) value.asDouble();
    }
    for (Quantity quantity : List.of(Quantity.DURATION, Quantity.SIZE, Quantity.MEMORY)) {
      Double bound = parsed(quantity, value.asString());
      if (bound != null) {
        return bound;
      }
    }
    complaints.add(at + ": " + key + " '" + value.asString() + "' is neither a number nor a time nor a size");
    return null;
  }

  private static @Nullable Double parsed(Quantity quantity, String text) {
    try {
      return quantity.parse(text).doubleValue();
    } catch (IllegalArgumentException e) {
      return null; // It may be another quantity.
    }
  }

  private static @Nullable String text(JsonNode node, String key) {
    return node.has(key) ? node.get(key).asString().strip() : null;
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }
}
