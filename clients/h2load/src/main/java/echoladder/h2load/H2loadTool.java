package echoladder.h2load;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import java.util.List;
import java.util.Set;

/** h2load, as a study names it. */
public final class H2loadTool implements LoadTool {
  /** Its log has whole microseconds, cut off. */
  private static final long STEP_NS = 1_000;

  @Override
  public String id() {
    return H2load.NAME;
  }

  @Override
  public String use() {
    return "HTTP only";
  }

  @Override
  public String timeKinds() {
    return "service only, of every request, from its actual start; it gives no response time";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.HTTP);
  }

  @Override
  public List<String> programs() {
    return List.of(H2load.NAME);
  }

  @Override
  public long serviceStepNs() {
    return STEP_NS;
  }

  @Override
  public LoadClient client(Start start) {
    return new H2loadClient(start.program(), start.log());
  }
}
