package echoladder.harness.claims;

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
 * @param source which kind of publication, and when
 * @param published the figure there
 * @param host what it was measured on, as far as it is said
 * @param question what this measurement asks where that is not all of the claim; null where it is
 * @param repeats how often each step is run; in a quick run once
 * @param needs what a host must have for it
 * @param cannot why no host can tell it by this ladder; null where one can
 * @param steps what is run, in that order, repeat by repeat
 * @param rules all must hold
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Claim(
    String id,
    String said,
    String source,
    String published,
    String host,
    @Nullable String question,
    int repeats,
    Needs needs,
    @Nullable String cannot,
    List<Step> steps,
    List<Rule> rules) {

  public Claim {
    steps = List.copyOf(steps);
    rules = List.copyOf(rules);
  }

  /**
   * What a host must have.
   *
   * @param processors at least as many
   * @param descriptors RLIMIT_NOFILE, hard
   * @param jdk a JDK of that feature release beside the one that runs
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Needs(int processors, long descriptors, @Nullable Integer jdk) {}

  /**
   * One run of one workload.
   *
   * @param name within the claim
   * @param language java or go
   * @param workload the program's name, e.g. thread-ramp
   * @param jvm options of the JVM
   * @param args the program's arguments, by whether the run is quick; no entry where it is left out then
   * @param x where it stands on the axis of the claim's plot; null where it is in none
   * @param line which line of the plot it belongs to
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Step(
      String name,
      Language language,
      String workload,
      List<String> jvm,
      Map<Effort, List<String>> args,
      @Nullable Double x,
      @Nullable String line) {
    public Step {
      jvm = List.copyOf(jvm);
      args = Map.copyOf(args);
    }
  }

  /** What a workload is written in. */
  public enum Language {
    JAVA,
    GO
  }

  /** How much of a ledger is done. */
  public enum Effort {
    FULL,
    QUICK
  }
}
