package echoladder.harness.client;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes load clients, one per rung. */
public interface Clients {
  /**
   * A client of that kind.
   *
   * @param log file for what its process prints
   * @param wrapper the beginning of a command that starts its process otherwise than plainly, and execs what follows; empty
   *     = none, as always for a load tool of others
   */
  LoadClient make(LoadTool tool, Path log, List<String> wrapper);

  /** How the embedded client's process is started: java, its flags and class path; empty = there is none. */
  default List<String> openLoop() {
    return List.of();
  }

  /** The program of others that makes its load; null = none, or none is here. */
  default @Nullable Path program(LoadTool tool) {
    return null;
  }
}
