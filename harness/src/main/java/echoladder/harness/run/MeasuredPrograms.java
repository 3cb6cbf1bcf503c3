package echoladder.harness.run;

import echoladder.harness.client.InstalledClients;
import echoladder.harness.client.LoadTool;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the figures of a study come from: its servers, its clients, the harness beside them and the runtimes of all. */
public final class MeasuredPrograms {
  private MeasuredPrograms() {}

  /**
   * Hashes by program and file; takes a fraction of a second.
   *
   * @param attached whether the server is somebody else's, of which nothing can be read here
   */
  public static Map<String, Map<String, String>> of(
      Checkout checkout, Study study, Map<String, ServerManifest> servers, InstalledClients clients, boolean attached) {
    ProgramHashes hashes = new ProgramHashes(checkout).add("ladder", clients.openLoop());
    for (Contender contender : Contender.all(study, servers)) {
      if (!attached) {
        hashes.add(contender.manifest().name(), contender.argv());
      }
      Path tool = program(contender.tool(), clients);
      if (tool != null) {
        hashes.add(contender.tool().id(), List.of(tool.toString()));
      }
    }
    return hashes.all();
  }

  private static @Nullable Path program(LoadTool tool, InstalledClients clients) {
    return switch (tool) {
      case OPEN_LOOP, CLOSED_LOOP -> null;
      case TCPKALI -> clients.tcpkali() != null ? clients.tcpkali().toAbsolutePath() : onPath("tcpkali");
      case WRK2 -> clients.wrk2() != null ? clients.wrk2().toAbsolutePath() : onPath("wrk2", "wrk");
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
