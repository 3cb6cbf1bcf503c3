package echoladder.harness.client;

import echoladder.client.LoadClient;
import echoladder.harness.common.Jdks;
import echoladder.openloop.ClosedLoopClient;
import echoladder.openloop.OpenLoopClient;
import echoladder.tcpkali.TcpkaliClient;
import echoladder.wrk2.Wrk2Client;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clients of this host.
 *
 * @param openLoop how the embedded client's process is started: java, its flags and class path
 * @param tcpkali where that program is; null = on PATH
 * @param wrk2 where that program is; null = on PATH, as wrk2 or wrk
 */
public record InstalledClients(List<String> openLoop, @Nullable Path tcpkali, @Nullable Path wrk2) implements Clients {
  public InstalledClients {
    openLoop = List.copyOf(openLoop);
  }

  /** Those of this host, with the embedded client as a process of this JVM's java and class path. */
  public static InstalledClients here(@Nullable Path tcpkali, @Nullable Path wrk2) {
    // System calls by the foreign function API. The client allocates next to nothing per echo: it needs no collector with
    // threads of its own beside the server, and a small nursery keeps its RSS at what it holds.
    List<String> command =
        List.of(
            Jdks.java().toString(), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms64m", "-Xmn8m", "-cp",
            System.getProperty("java.class.path"));
    return new InstalledClients(command, tcpkali, wrk2);
  }

  /** These clients with one more flag for the JVM of the embedded client. */
  public InstalledClients with(String flag) {
    List<String> command = new ArrayList<>(openLoop);
    command.add(1, flag);
    return new InstalledClients(command, tcpkali, wrk2);
  }

  @Override
  public LoadClient make(LoadTool tool, Path log, List<String> wrapper) {
    List<String> own = Stream.concat(wrapper.stream(), openLoop.stream()).toList();
    return switch (tool) {
      case OPEN_LOOP -> new OpenLoopClient(own, log);
      case CLOSED_LOOP -> new ClosedLoopClient(own, log);
      case TCPKALI -> new TcpkaliClient(tcpkali, null, log);
      case WRK2 -> new Wrk2Client(wrk2, log);
    };
  }

  @Override
  public @Nullable Path program(LoadTool tool) {
    return switch (tool) {
      case OPEN_LOOP, CLOSED_LOOP -> null;
      case TCPKALI -> tcpkali != null ? tcpkali.toAbsolutePath() : onPath("tcpkali");
      case WRK2 -> wrk2 != null ? wrk2.toAbsolutePath() : onPath("wrk2", "wrk");
    };
  }

  private static @Nullable Path onPath(String... names) {
    List<String> folders = List.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1));
    return Stream.of(names)
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name).toAbsolutePath()))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}
