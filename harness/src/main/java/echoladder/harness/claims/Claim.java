package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What somebody published, how it is measured again, and by which rules that decides.
 *
 * @param id its name, for {@code --only} and its page
 * @param said what was said, in our words
 * @param topic what it is about; null in a ledger from before this was told
 * @param kind what it is bound to; null in a ledger from before this was told
 * @param who said it, as what and when, in short; null in a ledger from before this was told
 * @param source who published it, as what, when and where
 * @param published the figures there, in their units
 * @param host what they were measured on and how, as far as that is said
 * @param differs what is measured here instead; null where nothing is, or in a ledger from before this was told
 * @param figures the source's own, by which an arithmetic claim is decided; none of others
 * @param question what this measurement asks where that is not all of the claim; null where it is
 * @param repeats how often each step is run in a full run
 * @param quickRepeats the least of that in a quick run, which repeats more where there is time
 * @param needs what a host must have for it
 * @param cannot why no host can tell it by this ladder; null where one can
 * @param steps what is run, in that order, repeat by repeat
 * @param rules all must hold
 * @param beside figures that stand beside what the rules ask for and decide nothing
 * @param plots what is drawn of its steps
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Claim(
    String id,
    String said,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Topic topic,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Kind kind,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String who,
    String source,
    String published,
    String host,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String differs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> figures,
    @Nullable String question,
    int repeats,
    int quickRepeats,
    Needs needs,
    @Nullable String cannot,
    List<Step> steps,
    List<Rule> rules,
    List<Rule.Shown> beside,
    List<Plot> plots) {

  public Claim {
    // Not there in an older file.
    figures = figures == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    steps = List.copyOf(steps);
    rules = List.copyOf(rules);
    beside = List.copyOf(beside);
    plots = List.copyOf(plots);
  }

  /** This claim with the topic, the kind and the author of another. */
  Claim as(Claim told) {
    return new Claim(
        id, said, told.topic, told.kind, told.who, source, published, host, differs, figures, question, repeats, quickRepeats,
        needs, cannot,
        steps, rules, beside, plots);
  }

  /** This claim with other needs. */
  Claim with(Needs others) {
    return new Claim(
        id, said, topic, kind, who, source, published, host, differs, figures, question, repeats, quickRepeats, others, cannot,
        steps, rules,
        beside, plots);
  }

  /** So many of them, for a reader. */
  static String count(int claims) {
    return claims == 1 ? "1 claim" : claims + " claims";
  }

  /** Whether it starts a workload, which the memory limit is for. */
  boolean hasWorkloads() {
    return steps.stream().anyMatch(step -> step.language() != Language.LADDER);
  }

  /**
   * What a host must have.
   *
   * @param processors at least as many
   * @param descriptors RLIMIT_NOFILE, hard
   * @param tasks threads of the operating system, beside those that there are
   * @param jdk a JDK of that feature release beside the one that runs
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Needs(int processors, long descriptors, @JsonInclude(JsonInclude.Include.NON_DEFAULT) long tasks, @Nullable Integer jdk) {}

  /**
   * One run of one workload, or one climb.
   *
   * @param name within the claim
   * @param language java, go, or ladder for a climb
   * @param workload the program's name, e.g. thread-ramp; of a climb its study's, in the folder climbs beside claims.yaml
   * @param jdk feature release of the JDK that it is run by; null = that of the ladder
   * @param jvm options of the JVM
   * @param env variables of its environment, besides those of the ladder; none of a climb
   * @param args the program's arguments, by whether the run is quick; no entry where it is left out then
   * @param x where it stands on the axis of the claim's plots; null where it is in none, or has its connections there
   * @param line which line of the plots it belongs to
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Step(
      String name,
      Language language,
      String workload,
      @Nullable Integer jdk,
      List<String> jvm,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> env,
      Map<Effort, List<String>> args,
      @Nullable Double x,
      @Nullable String line) {
    public Step {
      jvm = List.copyOf(jvm);
      // Not there in an older file.
      env = env == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(env));
      // In the order that they were written in: Map.copyOf has another one in each JVM.
      args = Collections.unmodifiableMap(new LinkedHashMap<>(args));
    }
  }

  /**
   * A figure of the steps, drawn.
   *
   * @param figure its name; of climbs without {@code _at_}; where it is over time, one of rss_bytes and os_threads
   * @param across what is on the axis, e.g. threads
   * @param overTime whether it is drawn over the time of one run
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Plot(String figure, String across, boolean overTime) {}

  /** What a step is run by. */
  public enum Language {
    JAVA,
    GO,
    /** {@code ./ladder run}. */
    LADDER
  }

  /** How much of a ledger is done. */
  public enum Effort {
    FULL,
    QUICK
  }
}
