package echoladder.harness.client;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.RememberedStop;
import echoladder.external.SearchPath;
import echoladder.harness.common.Jdks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clients of this host.
 *
 * @param openLoop how the embedded client's process is started: java, its flags and class path
 * @param programs where programs of load tools are said to be, by the tools' ids; the others are on PATH
 */
public record InstalledClients(List<String> openLoop, Map<String, Path> programs) implements Clients {
  public InstalledClients {
    openLoop = List.copyOf(openLoop);
    programs = Map.copyOf(programs);
  }

  /** Those of this host, every program on PATH. */
  public static InstalledClients here() {
    return here(Map.of());
  }

  /** Those of this host, with the embedded client as a process of this JVM's java and class path. */
  public static InstalledClients here(Map<String, Path> programs) {
    // System calls by the foreign function API. The client allocates next to nothing per echo: it needs no collector with
    // threads of its own beside the server, and a small nursery keeps its RSS at what it holds.
    List<String> command =
        List.of(
            Jdks.java().toString(), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms64m", "-Xmn8m", "-cp",
            System.getProperty("java.class.path"));
    return new InstalledClients(command, programs);
  }

  /** These clients with one more flag for the JVM of the embedded client. */
  public InstalledClients with(String flag) {
    List<String> command = new ArrayList<>(openLoop);
    command.add(1, flag);
    return new InstalledClients(command, programs);
  }

  @Override
  public LoadClient make(LoadTool tool, Path log, List<String> wrapper) {
    List<String> own = Stream.concat(wrapper.stream(), openLoop.stream()).toList();
    return new RememberedStop(tool.client(new LoadTool.Start(own, programs.get(tool.id()), log)));
  }

  @Override
  public @Nullable Path program(LoadTool tool) {
    Path given = programs.get(tool.id());
    if (given != null) {
      return given.toAbsolutePath();
    }
    return SearchPath.own().find(tool.programs()).orElse(null);
  }
}
