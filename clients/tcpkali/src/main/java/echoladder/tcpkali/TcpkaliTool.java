package echoladder.tcpkali;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import java.util.List;
import java.util.Set;

/** tcpkali, as a study names it. */
public final class TcpkaliTool implements LoadTool {
  @Override
  public String id() {
    return Tcpkali.NAME;
  }

  @Override
  public String use() {
    return "plain TCP only";
  }

  @Override
  public String timeKinds() {
    return "service only, in steps of 0.1 ms; it gives no response time";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.TCP);
  }

  @Override
  public List<String> programs() {
    return List.of(Tcpkali.NAME);
  }

  @Override
  public long serviceStepNs() {
    return 100_000;
  }

  @Override
  public LoadClient client(Start start) {
    return new TcpkaliClient(start.program(), null, start.log());
  }
}
