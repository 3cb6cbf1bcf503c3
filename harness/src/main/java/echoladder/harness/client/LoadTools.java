package echoladder.harness.client;

import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The load tools that are on the class path: one instance of each. The schema of studies lists those of this build. */
public final class LoadTools {
  private static @Nullable List<LoadTool> found;

  private LoadTools() {}

  /**
   * All of them: those of this project first, as its jar lists them, then others by their ids, whatever order the class path has.
   *
   * @throws Refusal (cannot run) where a jar names one that cannot be made, or two have one id
   */
  public static synchronized List<LoadTool> all() {
    if (found == null) {
      found = load(LoadTools.class.getClassLoader());
    }
    return found;
  }

  /** Those that a class loader finds. */
  static List<LoadTool> load(ClassLoader loader) {
    List<LoadTool> tools;
    try {
      tools = ServiceLoader.load(LoadTool.class, loader).stream().map(ServiceLoader.Provider::get).toList();
    } catch (ServiceConfigurationError e) {
      throw Refusal.cannotRun(
          ("load tools are found by META-INF/services/%s in the jars of the class path; one could not be made: %s. Take that jar away, or"
              + " mend it")
              .formatted(LoadTool.class.getName(), e.getMessage()));
    }
    Set<String> ids = new HashSet<>();
    for (LoadTool tool : tools) {
      if (!ids.add(tool.id())) {
        throw Refusal.cannotRun(
            "two load tools of the class path are called '%s': a study's client must name one. Take one of their jars away"
                .formatted(tool.id()));
      }
    }
    return Stream.concat(
            tools.stream().filter(LoadTool::ours),
            tools.stream().filter(tool -> !tool.ours()).sorted(Comparator.comparing(LoadTool::id)))
        .toList();
  }

  /** The open loop of this project: it tells how late it sent, and runs over several hosts. */
  public static LoadTool embedded() {
    return all().stream().filter(tool -> tool.ours() && tool.rates()).findFirst().orElseThrow();
  }

  /** Whether there is one of that name. */
  public static boolean known(String id) {
    return all().stream().anyMatch(tool -> tool.id().equals(id));
  }

  /** The one of that name; an unknown name is an {@link IllegalArgumentException}. */
  public static LoadTool ofId(String id) {
    return all().stream()
        .filter(tool -> tool.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no client '" + id + "'; known: " + names()));
  }

  /** docs/study.schema.json with the load tools of this class path as clients. */
  public static YamlSchema schemaOfStudies() {
    return new YamlSchema("study", "/$defs/client", ids(), description());
  }

  /** What a study may name, and when. */
  static String description() {
    return all().stream().map(tool -> "%s (%s)".formatted(tool.id(), tool.use())).collect(Collectors.joining(", "))
        + "; of a server: in place of the study's";
  }

  /** Every name, in order. */
  public static List<String> ids() {
    return all().stream().map(LoadTool::id).toList();
  }

  /** Every name, in one line. */
  public static String names() {
    return String.join(", ", ids());
  }

  /** Those that can send messages at a rate to a server of that protocol, in one line. */
  public static String fitting(Protocol protocol) {
    return all().stream().filter(tool -> tool.speaks(protocol) && tool.rates()).map(LoadTool::id).collect(Collectors.joining(", "));
  }
}
