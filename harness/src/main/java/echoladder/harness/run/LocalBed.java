package echoladder.harness.run;

import echoladder.harness.plan.Rung;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.settings.AppliedSettings;
import java.io.IOException;
import java.nio.file.Path;

/** Servers and clients on this host. */
record LocalBed(RunSetup setup) implements Testbed {
  @Override
  public RungServer open(Stand stand, Rung rung, Path log) throws IOException, InterruptedException, ServerNotReadyException {
    AppliedSettings around = stand.settings();
    ServerUnderTest contender = stand.contender();
    OwnServer users = contender.manifest().own();
    return users == null
        ? StartedServer.start(stand.context(), contender, 0, around, stand.placed()::server, log, rung.connections())
        : CustomServer.start(
            stand.context(), contender, users, argv -> stand.placed().server(around.wrap(argv)), log, rung.connections());
  }

  @Override
  public boolean startsServersHere() {
    return true;
  }
}
