package echoladder.harness.run;

import echoladder.client.HttpAsk;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Rung;
import echoladder.harness.server.Attachment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Clients on this host, and a server that somebody else started, here or elsewhere. */
record AttachedBed(RunSetup setup, Attachment attached) implements Testbed {
  @Override
  public Role role() {
    return attached.sameHost() ? Role.BOTH : Role.CLIENT;
  }

  @Override
  public RungServer open(Stand stand, Rung rung, Path log) throws IOException, InterruptedException {
    return AttachedServer.begin(stand.context(), attached, stand.contender().manifest().name());
  }

  @Override
  public HttpAsk asked(ServerUnderTest contender) {
    return contender.asked().with(attached.push());
  }

  @Override
  public boolean startsServers() {
    return false;
  }

  @Override
  public boolean startsServersHere() {
    return false;
  }

  @Override
  public List<String> allowed() {
    return attached.allowed();
  }

  @Override
  public boolean serverElsewhere() {
    return !attached.sameHost();
  }
}
