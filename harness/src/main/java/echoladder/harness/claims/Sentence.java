package echoladder.harness.claims;

import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.common.YamlTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a reader should believe by the verdicts of some claims. Both texts were written before anything was measured; {@code
 * {ID}} in them stands for what was measured against the first rule of that claim, {@code {ID/2}} against its second.
 *
 * @param about what is asked, as "whether ..."
 * @param claims whose verdicts decide, by their ids
 * @param met what to believe where the rules of all of them are met
 * @param notMet what to believe where those of one are not
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Sentence(String about, List<String> claims, String met, String notMet) {
  private static final Pattern MEASURED = Pattern.compile("\\{([a-z0-9-]+)(?:/([1-9]))?}");

  public Sentence {
    claims = List.copyOf(claims);
  }

  /** Those of a claims.yaml, of whose claims they speak. */
  static List<Sentence> read(YamlTree yaml, List<Claim> of, List<String> complaints) {
    Map<String, Claim> known = new LinkedHashMap<>();
    of.forEach(claim -> known.put(claim.id(), claim));
    List<Sentence> sentences = new ArrayList<>();
    JsonNode nodes = yaml.root().path("sentences");
    for (int i = 0; i < nodes.size(); i++) {
      JsonNode node = nodes.get(i);
      Sentence sentence =
          new Sentence(
              node.get("about").asString().strip(),
              node.get("claims").valueStream().map(JsonNode::asString).toList(),
              node.get("met").asString().strip(),
              node.get("not_met").asString().strip());
      sentence.complain(yaml.at("/sentences/" + i), known, complaints);
      sentences.add(sentence);
    }
    return sentences;
  }

  private void complain(String at, Map<String, Claim> known, List<String> complaints) {
    for (String id : claims) {
      if (!known.containsKey(id)) {
        complaints.add(at + ": it names the claim '" + id + "', which is none of 'claims'");
      }
    }
    for (String text : List.of(met, notMet)) {
      for (MatchResult measured : MEASURED.matcher(text).results().toList()) {
        Claim claim = claims.contains(measured.group(1)) ? known.get(measured.group(1)) : null;
        if (claim == null || rule(measured) >= claim.rules().size()) {
          complaints.add(at + ": " + measured.group() + " is no rule of a claim that the sentence names");
        }
      }
    }
  }

  /** Which of a claim's rules is meant, from 0. */
  private static int rule(MatchResult measured) {
    return measured.group(2) == null ? 0 : Integer.parseInt(measured.group(2)) - 1;
  }

  /** Whether a ledger of these claims says anything of it. */
  boolean isOf(List<Claim> measured) {
    return measured.stream().anyMatch(claim -> claims.contains(claim.id()));
  }

  /** The sentence by what was measured. Where a claim was not, or another run could say otherwise, it says that instead. */
  String text(Map<String, Ledger.Entry> entries) {
    List<String> open = new ArrayList<>();
    boolean all = true;
    boolean once = false;
    for (String id : claims) {
      Ledger.Entry entry = entries.get(id);
      ClaimOutcome outcome = entry == null ? ClaimOutcome.cannot("not measured") : entry.outcome();
      if (entry == null) {
        open.add(id + " was not measured");
      } else if (outcome.holding() == Holding.CANNOT_BE_TOLD) {
        open.add(id + " cannot be told here, " + outcome.reason());
      } else if (outcome.certainty() == Certainty.CLOSE) {
        open.add("another run could say otherwise of " + id);
      }
      all &= outcome.holding() == Holding.HOLDS;
      once |= outcome.certainty() == Certainty.ONCE;
    }
    return open.isEmpty()
        ? filled(all ? met : notMet, entries) + (once ? " That was measured once." : "")
        : "Not decided here: " + about + ". The reason: " + String.join("; ", open) + ".";
  }

  private static String filled(String text, Map<String, Ledger.Entry> entries) {
    return MEASURED
        .matcher(text)
        .replaceAll(
            measured -> {
              Ledger.Entry entry = entries.get(measured.group(1));
              List<ClaimOutcome.OfRule> rules = entry == null ? List.of() : entry.outcome().rules();
              int rule = rule(measured);
              return Matcher.quoteReplacement(rule < rules.size() ? rules.get(rule).measured() : measured.group());
            });
  }
}
