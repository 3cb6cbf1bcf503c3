package echoladder.harness.claims;

import echoladder.harness.common.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the rules of one claim of claims.yaml.
 *
 * @param at where the claim stands, for complaints
 * @param kind which decides the tolerances that its rules may have
 * @param steps their names
 * @param figures the source's own, in which alone the rules of an arithmetic claim may ask
 * @param complaints takes what is wrong
 */
record RuleReader(String at, Kind kind, Set<String> steps, Map<String, Double> figures, List<String> complaints) {
  /** Each that can be read. */
  List<Rule> read(JsonNode nodes) {
    List<Rule> rules = new ArrayList<>();
    for (JsonNode node : nodes) {
      Rule rule = rule(node);
      if (rule != null) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private @Nullable Rule rule(JsonNode node) {
    if (node.has("take") && node.has("by")) {
      return within(node);
    }
    if (node.has("ascending")) {
      List<Rule.StepFigure> of = new ArrayList<>();
      node.get("ascending").forEach(figure -> of.add(Rule.StepFigure.parse(figure.asString())));
      known(of);
      return new Rule.Ascending(of);
    }
    if (node.has("step") && node.has("ends")) {
      List<String> ways = new ArrayList<>();
      node.get("ends").forEach(way -> ways.add(way.asString()));
      refuseUnknown(List.of(node.get("step").asString()), "a rule");
      return new Rule.Ends(node.get("step").asString(), ways, node.has("words") ? node.get("words").asString().strip() : null);
    }
    complaints.add(at + ": a rule has 'take' with 'by', or 'ascending', or 'step' with 'ends'; not " + node);
    return null;
  }

  private @Nullable Rule within(JsonNode node) {
    Tolerance by = Tolerance.named(node.get("by").asString());
    if (by == null) {
      return null; // The schema has complained.
    }
    if (!by.isFor(kind)) {
      complaints.add(
          "%s: a rule by '%s' is not for a claim that is %s; see the table in studies/claims/STUDY.md"
              .formatted(at, by.id(), kind.words()));
    }
    boolean bounds = node.has("least") || node.has("most");
    String wrong =
        switch (by.takes()) {
          case SAID -> !node.has("said") || bounds ? "takes 'said', what was published, and no bound" : "";
          case BOUNDS -> node.has("said") || !bounds ? "takes 'least' or 'most', and no 'said'" : "";
          case NOTHING -> node.has("said") || bounds ? "takes neither 'said' nor a bound" : "";
        };
    if (!wrong.isEmpty()) {
      complaints.add("%s: a rule by '%s' %s; not %s".formatted(at, by.id(), wrong, node));
    }
    Rule.StepFigure take = Rule.StepFigure.parse(node.get("take").asString());
    Rule.StepFigure over = node.has("over") ? Rule.StepFigure.parse(node.get("over").asString()) : null;
    known(over == null ? List.of(take) : List.of(take, over));
    List<Double> said = new ArrayList<>();
    JsonNode published = node.path("said");
    (published.isArray() ? published.valueStream().toList() : published.isMissingNode() ? List.<JsonNode>of() : List.of(published))
        .forEach(value -> said.add(number(value, "said")));
    return by.takes() == Tolerance.Takes.BOUNDS
        ? new Rule.Within(take, over, bound(node, "least"), bound(node, "most"))
        : new Rule.Within(take, over, by.least(said), by.most(said));
  }

  /**
   * Complains of figures that no rule of this claim can ask for: an arithmetic claim has the source's own, all others those of
   * their steps.
   */
  private void known(List<Rule.StepFigure> asked) {
    if (kind == Kind.ARITHMETIC) {
      asked.stream()
          .filter(figure -> !figure.step().equals(StepRun.SOURCE) || !figures.containsKey(figure.figure()))
          .map(figure -> at + ": a rule asks for " + figure + ", which is none of its 'figures', as those of an arithmetic claim are")
          .forEach(complaints::add);
    } else {
      refuseUnknown(asked.stream().map(Rule.StepFigure::step).toList(), "a rule");
    }
  }

  /** Names of steps that a claim does not have. */
  void refuseUnknown(List<String> named, String who) {
    named.stream()
        .filter(step -> !steps.contains(step))
        .forEach(step -> complaints.add("%s: %s names the step '%s', which it does not have".formatted(at, who, step)));
  }

  private @Nullable Double bound(JsonNode rule, String key) {
    return rule.has(key) ? (Double) number(rule.get(key), key) : null;
  }

  /** A number, or a quantity in ns or bytes. */
  private double number(JsonNode value, String key) {
    if (value.isNumber()) {
      return value.asDouble();
    }
    Double number = number(value.asString());
    if (number == null) {
      complaints.add(at + ": " + key + " '" + value.asString() + "' is neither a number nor a time nor a size");
    }
    return number == null ? 0 : number;
  }

  /** A number, or a quantity in ns or bytes; null where it is none of them. */
  static @Nullable Double number(String text) {
    if (text.matches("-?\\d{1,15}(\\.\\d{1,9})?")) {
      return Double.valueOf(text);
    }
    for (Quantity quantity : List.of(Quantity.DURATION, Quantity.SIZE, Quantity.MEMORY)) {
      Double number = parsed(quantity, text);
      if (number != null) {
        return number;
      }
    }
    return null;
  }

  private static @Nullable Double parsed(Quantity quantity, String text) {
    try {
      return quantity.parse(text).doubleValue();
    } catch (IllegalArgumentException e) {
      return null; // It may be another quantity.
    }
  }
}
