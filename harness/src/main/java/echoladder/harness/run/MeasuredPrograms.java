package echoladder.harness.run;

import echoladder.harness.host.Fleet;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.server.OwnServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The programs that a study's figures depend on: its servers, its clients, the harness beside them and the runtimes of all. */
public final class MeasuredPrograms {
  private MeasuredPrograms() {}

  /**
   * Hashes by program and file; takes a fraction of a second. Of an attached server nothing can be read here; those on other
   * hosts are built and read there.
   */
  public static Map<String, Map<String, String>> of(RunSetup setup) {
    ProgramHashes hashes = new ProgramHashes(setup.checkout()).add("ladder", setup.clients().openLoop());
    Fleet hosts = setup.hosts();
    if (hosts != null) {
      Map<String, Map<String, String>> all = new TreeMap<>(hashes.all());
      all.putAll(hosts.programs(setup.contenders().stream().map(contender -> RemoteServer.order(setup, hosts, contender)).toList()));
      return all;
    }
    for (ServerUnderTest contender : setup.contenders()) {
      if (setup.attached() == null) {
        OwnServer own = contender.manifest().own();
        hashes.add(contender.manifest().name(), own == null ? contender.argv() : own.files());
      }
      Path tool = setup.clients().program(contender.tool());
      if (tool != null) {
        hashes.add(contender.tool().id(), List.of(tool.toString()));
      }
    }
    return hashes.all();
  }
}
