package echoladder.wrk2;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import java.util.List;
import java.util.Set;

/** wrk2, as a study names it. */
public final class Wrk2Tool implements LoadTool {
  @Override
  public String id() {
    return Wrk2.NAME;
  }

  @Override
  public String use() {
    return "HTTP only";
  }

  @Override
  public String timeKinds() {
    return "response: its corrected times, whose sends wait for whole milliseconds; service: its uncorrected times";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.HTTP);
  }

  @Override
  public List<String> programs() {
    return Wrk2.PROGRAMS;
  }

  @Override
  public LoadClient client(Start start) {
    return new Wrk2Client(start.program(), start.log());
  }
}
