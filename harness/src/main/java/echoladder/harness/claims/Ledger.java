package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.claims.ClaimOutcome.Holding;
import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * ledger.json: each claim with what was measured and what that says.
 *
 * @param schemaVersion 1
 * @param runId name of the folder
 * @param status whether it came to its end
 * @param startedAt ISO 8601, UTC
 * @param endedAt null while it runs
 * @param reproduce the command that does it again
 * @param question of the study
 * @param quick whether sizes and repeats were those of a quick run
 * @param memoryLimitBytes what each workload might hold
 * @param environment the same as environment.json
 * @param sentences what to believe by the verdicts, as claims.yaml had them; none in a ledger from before they were told
 * @param earlier what the ledger said that was published last before this one; null where there was none
 * @param entries in the order of claims.yaml; those not reached are missing
 * @param notReached ids of those, where it was stopped or still runs
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Ledger(
    int schemaVersion,
    String runId,
    RunRecord.Status status,
    String startedAt,
    @Nullable String endedAt,
    String reproduce,
    String question,
    boolean quick,
    long memoryLimitBytes,
    Map<String, @Nullable Object> environment,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Sentence> sentences,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Earlier earlier,
    List<Entry> entries,
    List<String> notReached) {
  static final int SCHEMA_VERSION = 1;

  public Ledger {
    // Not there in an older file.
    sentences = sentences == null ? List.of() : List.copyOf(sentences);
    entries = List.copyOf(entries);
    notReached = List.copyOf(notReached);
  }

  /**
   * A claim and what came of it.
   *
   * @param runs of its steps, in the order in which they were run
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Entry(Claim claim, ClaimOutcome outcome, List<StepRun> runs) {
    public Entry {
      runs = List.copyOf(runs);
    }

    /** The verdict in the words of the claim's kind, without its doubt. */
    String verdict() {
      return claim.kind() == null ? outcome.holding().words() : claim.kind().verdict(outcome);
    }

    /** The verdict as a reader sees it, with its doubt. */
    String words() {
      return claim.kind() == null ? outcome.words() : claim.kind().words(outcome);
    }

    /** This entry with the topic, kind and author that the claim has today, where today's rules are the entry's. */
    Entry of(Claim today) {
      return today.rules().equals(claim.rules()) ? new Entry(claim.as(today), outcome, runs) : this;
    }

    /** What was not measured, or not to its end, stays as it is. */
    private Entry judged() {
      return outcome.rules().isEmpty() ? this : new Entry(claim, Evaluation.of(claim.rules(), claim.beside(), runs), runs);
    }
  }

  /** This ledger with its verdicts decided anew, by the rules and figures that stand in it. */
  Ledger judged() {
    return with(entries.stream().map(Entry::judged).toList());
  }

  /** This ledger with other entries. */
  Ledger with(List<Entry> others) {
    return new Ledger(
        schemaVersion, runId, status, startedAt, endedAt, reproduce, question, quick, memoryLimitBytes, environment, sentences, earlier,
        others, notReached);
  }

  /** Whether every claim was come to. */
  boolean complete() {
    return status == RunRecord.Status.COMPLETE;
  }

  /** Whether every claim was come to, and each that was measured can be told. */
  public boolean asExpected() {
    return complete()
        && entries.stream().noneMatch(e -> !e.runs.isEmpty() && e.outcome.holding() == Holding.CANNOT_BE_TOLD);
  }

  /** What a reader should believe by it, in the order of claims.yaml. */
  List<String> believed() {
    Map<String, Entry> byId = entries.stream().collect(Collectors.toMap(entry -> entry.claim.id(), Function.identity(), (a, _) -> a));
    return sentences.stream().map(sentence -> sentence.text(byId)).toList();
  }

  /** By what the claims are about, in the order of the topics; those of an older ledger, which has none, together. */
  List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      groups.add(new Group(topic.id(), topic.title(), entries.stream().filter(entry -> topic == entry.claim.topic()).toList()));
    }
    groups.add(new Group("claims", "Claims", entries.stream().filter(entry -> entry.claim.topic() == null).toList()));
    return groups.stream().filter(group -> !group.entries.isEmpty()).toList();
  }

  /**
   * Those of one topic.
   *
   * @param id of the topic
   * @param title its heading
   */
  record Group(String id, String title, List<Entry> entries) {
    Group {
      entries = List.copyOf(entries);
    }
  }

  /** How many have each verdict: {@code 3 claims: holds 1, reproduced 1, cannot be told here 1}. */
  String counts() {
    if (entries.stream().allMatch(entry -> entry.claim.kind() == null)) {
      return countsWithoutKinds();
    }
    Map<String, Long> counts = entries.stream().collect(Collectors.groupingBy(Entry::verdict, LinkedHashMap::new, Collectors.counting()));
    return Claim.count(entries.size()) + ": "
        + counts.entrySet().stream().map(of -> of.getKey() + " " + of.getValue()).collect(Collectors.joining(", "));
  }

  /** Counts of a ledger from before kinds were told. */
  private String countsWithoutKinds() {
    return "%d of %d claims hold on this host, %d do not hold, %d cannot be told here"
        .formatted(count(Holding.HOLDS), entries.size(), count(Holding.DOES_NOT_HOLD), count(Holding.CANNOT_BE_TOLD));
  }

  private long count(Holding holding) {
    return entries.stream().filter(e -> e.outcome.holding() == holding).count();
  }
}
