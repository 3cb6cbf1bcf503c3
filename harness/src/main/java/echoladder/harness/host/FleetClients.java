package echoladder.harness.host;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.harness.client.Clients;
import echoladder.harness.client.LoadTools;
import java.nio.file.Path;
import java.util.List;

/**
 * The embedded client on all client hosts of a run. Load tools of others run on one host, so there are none.
 *
 * @param here how the embedded client is started on this host, for the record: on the others it is the same
 */
public record FleetClients(Fleet fleet, Clients here) implements Clients {
  /** Makes the embedded client; another tool is an {@link IllegalArgumentException}. */
  @Override
  public LoadClient make(LoadTool tool, Path log, List<String> wrapper) {
    if (!tool.id().equals(LoadTools.embedded().id())) {
      throw new IllegalArgumentException(tool.id() + " runs on one host");
    }
    return fleet.load();
  }

  @Override
  public List<String> openLoop() {
    return here.openLoop();
  }
}
