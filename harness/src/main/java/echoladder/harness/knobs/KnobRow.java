package echoladder.harness.knobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.limits.KnownLimit;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of sysctl/knobs.yaml: all that is known of one knob. docs/knobs.schema.json says what each part may be.
 *
 * @param name in labels and reports, e.g. {@code tcp-rmem}
 * @param kind what it is, and so how it is set
 * @param key what is set, e.g. {@code net.ipv4.tcp_rmem}; of an option its name in a server.yaml
 * @param scope what has one value of it
 * @param phases in which it can matter
 * @param servers that it concerns, by name; none = every one
 * @param limit that it lifts; null = none that the doctor knows
 * @param wall label of the entry of studies/limits that lowers it; null = none does
 * @param standard the default, of the kernel or of the server
 * @param profile the value that is held against the default
 * @param beyond a level beyond; null = there is none
 * @param least of its numbers; null = no bound is known
 * @param most of its numbers; null = no bound is known
 * @param profiles its value in each profile that has it, by the profile's name
 * @param lifts what it lifts
 * @param stands what the default is on which host
 * @param counter what shows that it was the limit, or was at work
 * @param figures of a run that show the same: names of run.json, or of counts of the kernel as in samples.csv
 * @param costs what it costs
 * @param elsewhere how it is set where no run sets it; null = runs do
 */
public record KnobRow(
    String name,
    Kind kind,
    String key,
    Reach scope,
    Set<Phase> phases,
    List<String> servers,
    @Nullable KnownLimit limit,
    @Nullable String wall,
    @JsonProperty("default") String standard,
    String profile,
    @Nullable String beyond,
    @Nullable Long least,
    @Nullable Long most,
    Map<String, String> profiles,
    String lifts,
    String stands,
    String counter,
    List<String> figures,
    String costs,
    @Nullable String elsewhere) {

  /** How a knob is set. */
  public enum Kind {
    /** A kernel setting. */
    SYSCTL,
    /** A limit of a process and of those that it starts. */
    RLIMIT,
    /** A limit of a control group. */
    CGROUP,
    /** An option of a server.yaml: the server's own, a flag of its JVM or a variable of its environment. */
    OPTION,
    /** What every server is told. */
    ARGUMENT,
    /** A file of sysfs, or a command. */
    DEVICE,
    /** An attribute of a route. */
    ROUTE
  }

  /** What has one value of a knob. */
  public enum Reach {
    NAMESPACE,
    HOST,
    PROCESS,
    SERVER
  }

  /** When a knob can matter. */
  public enum Phase {
    /** It ends a climb. */
    WALL,
    CONNECTING,
    STEADY,
    /** In the steady state of connections over a network that the run makes. */
    NETWORK,
    /** While a peer is gone without FIN or RST. Entries of studies/dead-peers set it, and no study of knobs. */
    GONE
  }

  /** A value of a knob. */
  public enum Level {
    DEFAULT,
    PROFILE,
    BEYOND;

    /** As in a label. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public KnobRow {
    phases = phases.isEmpty() ? EnumSet.noneOf(Phase.class) : EnumSet.copyOf(phases);
    servers = servers == null ? List.of() : List.copyOf(servers);
    figures = figures == null ? List.of() : List.copyOf(figures);
    profiles = profiles == null ? Map.of() : new LinkedHashMap<>(profiles);
  }

  /** Whether it can matter to a server in that phase. */
  public boolean matters(String server, Phase phase) {
    return phases.contains(phase) && (servers.isEmpty() || servers.contains(server));
  }

  /** Whether the entries of a study can set it. */
  public boolean setByRuns() {
    return elsewhere == null
        && switch (kind) {
          case SYSCTL, OPTION, RLIMIT, ARGUMENT -> true;
          case ROUTE -> RouteSetting.ofKey(key).isPresent();
          case DEVICE -> LoopbackSetting.ofKey(key).isPresent();
          case CGROUP -> false;
        };
  }

  /** Whether its default is a value that can be set, and not words such as 'by memory'. */
  public boolean defaultIsValue() {
    return kind != Kind.SYSCTL || steady() || standard.matches("-?\\d[-\\d ,]*");
  }

  /** Whether it can matter once connections are there, over loopback or a network. */
  boolean steady() {
    return phases.contains(Phase.STEADY) || phases.contains(Phase.NETWORK) || phases.contains(Phase.GONE);
  }

  /** Its value at a level; null where it has no such level. */
  public @Nullable String value(Level level) {
    return switch (level) {
      case DEFAULT -> standard;
      case PROFILE -> profile;
      case BEYOND -> beyond;
    };
  }
}
