package echoladder.openloop;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import java.util.Set;

/** The embedded client: sends by a schedule, or drives users in stages who do not wait. */
public final class OpenLoopTool implements LoadTool {
  @Override
  public String id() {
    return OpenLoopClient.NAME;
  }

  @Override
  public String use() {
    return "the default";
  }

  @Override
  public String timeKinds() {
    return "response from the intended send; service from the actual one";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.TCP, Protocol.HTTP, Protocol.WEBSOCKET);
  }

  @Override
  public boolean stages() {
    return true;
  }

  @Override
  public LoadClient client(Start start) {
    return new OpenLoopClient(start.java(), start.log());
  }
}
