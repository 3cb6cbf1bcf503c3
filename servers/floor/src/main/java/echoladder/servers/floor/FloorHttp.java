package echoladder.servers.floor;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The floor under every HTTP server here: the same loops, with as little of HTTP/1.1 as its contract allows. */
@Command(
    name = "floor-http",
    description = "HTTP/1.1 on a minimal epoll loop per core (POST /echo, GET /api/light, GET /api/heavy?duration=MS): the"
        + " reference, not a contender.")
public final class FloorHttp implements EchoProgram {
  @Mixin private final LoopOptions loops = new LoopOptions();
  @Mixin private final HttpOptions http = new HttpOptions();

  public static void main(String[] args) {
    ServerFrame.main(new FloorHttp(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    http.check();
    return loops.start(
        options, context, setup -> new CodecLoop(setup, HttpConversation.ofLoop(http), http.requestTimeout()));
  }
}
