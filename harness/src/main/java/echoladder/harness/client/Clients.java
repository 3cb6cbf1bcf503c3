package echoladder.harness.client;

import echoladder.client.LoadClient;
import java.nio.file.Path;

/** Makes load clients, one per rung. */
public interface Clients {
  /**
   * A client of that kind.
   *
   * @param log file for what its process prints
   */
  LoadClient make(LoadTool tool, Path log);
}
