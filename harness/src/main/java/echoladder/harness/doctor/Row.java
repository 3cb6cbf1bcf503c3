package echoladder.harness.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.tune.Knob;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One limit.
 *
 * @param limit its name, e.g. {@code fs.file-max}
 * @param unit of {@code needed} and {@code present}
 * @param arithmetic how {@code needed} comes about, and what else is to be known of this limit
 * @param needed null = nothing
 * @param present null = not shown here; Long.MAX_VALUE = unlimited
 * @param answer what follows
 * @param connections that this limit allows as it is; Long.MAX_VALUE = any number; null = unknown
 * @param because what is in the way, in a few words; null where nothing is
 * @param lift the command that lifts it; null where it needs no lifting or no command lifts it
 * @param liftable whether this process may run it, with success; null where it needs no lifting
 * @param page runbooks/symptoms/PAGE.md
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Row(
    String limit,
    String unit,
    String arithmetic,
    @Nullable Long needed,
    @Nullable Long present,
    @JsonProperty("verdict") Answer answer,
    @Nullable Long connections,
    @Nullable String because,
    @Nullable String lift,
    @Nullable Boolean liftable,
    String page) {

  private static final Pattern SYSCTL = Pattern.compile("sysctl -w ([\\w.-]+)=(?:'([^']*)'|([^\\s;$]+)).*");

  /** The kernel setting that the command sets which lifts it; empty where that sets none, or reads it from the host. */
  public Optional<Knob> setting() {
    Matcher matcher = SYSCTL.matcher(lift == null ? "" : lift);
    return matcher.matches()
        ? Optional.of(new Knob(matcher.group(1), matcher.group(2) == null ? matcher.group(3) : matcher.group(2), false, List.of()))
        : Optional.empty();
  }

  /** What follows for the connections asked about. */
  public enum Answer {
    @JsonProperty("ok")
    OK("ok"),
    /** They cannot be held. */
    @JsonProperty("short")
    SHORT("SHORT"),
    /** They can be held, but connects, bursts or ends may be slowed down, dropped or refused. */
    @JsonProperty("risk")
    RISK("risk"),
    /** This host does not show it to this process, or a figure it takes is not known. */
    @JsonProperty("unknown")
    UNKNOWN("unknown"),
    /** It does not concern this role, or is not in force on this host. */
    @JsonProperty("not-here")
    NOT_HERE("does not apply");

    final String word;

    Answer(String word) {
      this.word = word;
    }
  }
}
