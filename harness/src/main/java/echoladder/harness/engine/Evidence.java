package echoladder.harness.engine;

import echoladder.client.LoadResult;
import echoladder.harness.run.Testbed;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one rung showed, before anybody judges it.
 *
 * @param load what the client measured
 * @param borders what the probes read at the borders of its phases
 * @param page what the server's page showed over the whole load
 * @param ending how the server ended by itself; null = it did not
 * @param changed kernel settings that differ from before the rung
 * @param hosts each host by itself
 */
record Evidence(
    LoadResult load, BorderReadings borders, Page page, @Nullable String ending, List<String> changed, Testbed.EachHost hosts) {
  /**
   * A server's page over a load.
   *
   * @param failure why it could not be had; empty = it could
   * @param restart how it shows that another process answers on it; empty = it does not
   * @param acceptErrors accepts that failed meanwhile, by their reasons
   */
  record Page(String failure, String restart, Map<String, Long> acceptErrors) {
    /** Nobody read it to the end. */
    static final Page UNREAD = new Page("", "", Map.of());
  }

  /** The load as far as one server process had it: what the client says of the server is of one process. */
  LoadResult known() {
    return ofOneProcess() ? load : load.withoutServer();
  }

  boolean ofOneProcess() {
    return page.restart().isEmpty();
  }
}
