package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.RungRecord;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server of one rung: started for it, or somebody else's that is only looked at. */
sealed interface RungServer extends AutoCloseable permits StartedServer, AttachedServer {
  /** Where it accepts. */
  Target target();

  /** Its Prometheus page. */
  URI metrics();

  /** Where it is told to collect garbage. */
  URI gc();

  /** Its process; null = not ours to see. */
  @Nullable Long pid();

  /** What was started and what it said; null = nothing was. */
  RungRecord.@Nullable Started started();

  /** Whom the probes look at. */
  Subject subject();

  /** Whether it may lack the page for collections. */
  boolean mayLackGc();

  /** Runs that when it ends, where its end can be seen. */
  void onEnd(Runnable action);

  /**
   * How it ended by itself; null where it did not, or where that cannot be seen.
   *
   * @param doubted whether the load lost it: its sockets go before its process does, so its end is then waited for shortly
   */
  @Nullable String ending(boolean doubted);

  /** What tells against the page being of the server that was loaded, by this run alone; empty where nothing does. */
  List<String> mismatches(BorderReadings borders, int established, String restart);

  /** Stops what was started; null where that ended by itself, else what had to be done. */
  @Nullable String stop();

  @Override
  void close();
}
