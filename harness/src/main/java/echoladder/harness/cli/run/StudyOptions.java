package echoladder.harness.cli.run;

import echoladder.client.LoadTool;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.study.Selection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.JsonNodeFactory;

/** Which study, and what of it: what run and plan have in common. */
final class StudyOptions {
  static final String DEFAULT_STUDY = "quick";

  /** The study of two servers of the user's own. */
  static final String OF_TWO = "a-or-b";

  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description = "A name under studies/, or the path of a study.yaml. Default: " + DEFAULT_STUDY + ", and with two --own " + OF_TWO
          + ".")
  private @Nullable String named;

  private String otherwise = DEFAULT_STUDY;

  @Option(
      names = "--client",
      paramLabel = "NAME",
      completionCandidates = ToolIds.class,
      description = "Load every server by this client, whatever the study says: ${COMPLETION-CANDIDATES}.")
  private @Nullable String client;

  @Option(
      names = "--servers",
      paramLabel = "A,B",
      split = ",",
      description = "Climb only these servers: of the study by their labels there, any other by the name of its folder in servers/;"
          + " LABEL:tuned is that server with the options that have a tuned value in its server.yaml.")
  private List<String> servers = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Another value for a key of study.yaml, by its dotted path, e.g. --set phases.steady=3s or"
          + " --set 'rungs=[100, 200]'; repeatable. The run's record has it.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--knobs",
      paramLabel = "A,B",
      split = ",",
      description = "Of a study of knobs (tuning) only these. The same as --set 'tuning.knobs=[A, B]'.")
  List<String> knobs = new ArrayList<>();

  @Option(
      names = "--cpus",
      paramLabel = "HOW",
      description = "Which processors server and client run on: shared, apart, or lists, e.g. 'server=0-1 client=2'. The same as"
          + " --set load.cpus=HOW.")
  private @Nullable String cpus;

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "The JDK that the study's servers on a JVM are started by, in place of the ladder's own; several are compared. The same"
          + " as --set 'axes.jdk=[HOME]'. Of a study of claims: where another JDK is, for claims about one; default: those in"
          + " /usr/lib/jvm, ~/.sdkman/candidates/java, ~/.jdks and /opt. Repeatable.")
  private List<Path> jdks = new ArrayList<>();

  @Option(
      names = "--fail-if",
      paramLabel = "CONDITION",
      description = "Fail the run where the interval of a figure lies beyond a bound: 'B/A server_cpu_us_per_echo > 1.05' bounds the"
          + " ratio of two servers, 'B server_time_p99_ns > 2ms' one server's figure. A and B are labels in the study. It needs six"
          + " repeats or more. Repeatable. The same as --set 'fail_if=[CONDITION]'.")
  private List<String> failIf = new ArrayList<>();

  private final Map<String, Path> programs = new HashMap<>();

  /** The ids of all load tools, for help and completion. */
  static final class ToolIds implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return LoadTools.ids().iterator();
    }
  }

  /** Adds an option for each load tool that is a program, by which its place may be said. */
  @Spec(Spec.Target.MIXEE)
  void addOptionsOfTools(CommandSpec verb) {
    LoadTools.all().stream().filter(tool -> !tool.ours()).forEach(tool -> verb.addOption(option(tool)));
  }

  /** The names of those options. */
  static List<String> toolOptions() {
    return LoadTools.all().stream().filter(tool -> !tool.ours()).map(tool -> "--" + tool.id()).toList();
  }

  private OptionSpec option(LoadTool tool) {
    List<String> names = tool.programs();
    String as = names.equals(List.of(tool.id())) ? "" : ", as " + String.join(" or ", names);
    return OptionSpec.builder("--" + tool.id())
        .paramLabel("PATH")
        .type(Path.class)
        .description("Where %s is. Default: on PATH%s.".formatted(tool.id(), as))
        .setter(
            new ISetter() {
              @Override
              public <T> T set(T value) {
                if (value instanceof Path path) {
                  programs.put(tool.id(), path);
                }
                return value;
              }
            })
        .build();
  }

  /** The study that was named, else the default. */
  String study() {
    return named == null ? otherwise : named;
  }

  /** Makes the study of two servers the default, which is made for pairs and ends in ten minutes. */
  void ofTwo() {
    otherwise = OF_TWO;
  }

  InstalledClients clients() {
    return InstalledClients.here(programs);
  }

  /**
   * The homes of {@code --jdk}, absolute.
   *
   * @throws Refusal (bad usage) where one is none
   */
  List<Path> jdks() {
    List<Path> homes = jdks.stream().map(home -> home.toAbsolutePath().normalize()).toList();
    for (Path home : homes) {
      String wrong = Jdks.complaint(home.toString());
      if (wrong != null) {
        throw Refusal.badUsage("--jdk: " + wrong);
      }
    }
    return homes;
  }

  /** What is chosen of a study that climbs. */
  Selection selection() {
    Selection chosen = ofClaims();
    List<Path> homes = jdks();
    return homes.isEmpty() ? chosen : chosen.with(List.of(YamlSetting.parse("axes.jdk=" + texts(homes))));
  }

  /** A list of texts in YAML, whatever is in them. */
  private static String texts(List<?> texts) {
    return texts.stream().map(text -> JsonNodeFactory.instance.stringNode(text.toString()).toString())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** What is chosen of a study of claims, which have a JDK of their own. */
  Selection ofClaims() {
    List<String> all = new ArrayList<>(settings);
    if (cpus != null) {
      all.add("load.cpus=" + cpus);
    }
    if (!knobs.isEmpty()) {
      all.add("tuning.knobs=[" + String.join(", ", knobs) + "]");
    }
    if (!failIf.isEmpty()) {
      all.add("fail_if=" + texts(failIf));
    }
    return new Selection(client, servers, all.stream().map(YamlSetting::parse).toList());
  }
}
