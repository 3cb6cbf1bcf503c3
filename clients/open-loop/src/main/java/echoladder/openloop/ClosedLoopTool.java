package echoladder.openloop;

import echoladder.client.LoadClient;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.client.StagedLoad;
import java.util.Set;

/** The process of the embedded client, driving users in stages who wait for their answers. */
public final class ClosedLoopTool implements LoadTool {
  @Override
  public String id() {
    return ClosedLoopClient.NAME;
  }

  @Override
  public String use() {
    return "load.stages only";
  }

  @Override
  public String timeKinds() {
    return "service from the actual send; its users wait for their answers";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.HTTP);
  }

  @Override
  public boolean stages() {
    return true;
  }

  @Override
  public StagedLoad.Loop loop() {
    return StagedLoad.Loop.CLOSED;
  }

  @Override
  public boolean rates() {
    return false;
  }

  @Override
  public LoadClient client(Start start) {
    return new ClosedLoopClient(start.java(), start.log());
  }
}
