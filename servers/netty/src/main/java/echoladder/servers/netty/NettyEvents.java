package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Push over HTTP on Netty's event loops: event streams by Netty's own codec. It does nothing else. */
@Command(name = "netty-events", description = "Push over HTTP on Netty's event loops: GET /subscribe?topic=N and POST /publish?topic=N.")
public final class NettyEvents implements EchoProgram {
  private static final int MOST_BODY_BYTES = 1 << 20;

  /** Publishes come without waiting for answers: as many as reads bring before reading pauses. Netty itself ends a connection at 128. */
  private static final int MOST_PIPELINED = 16 << 10;

  @Mixin private final NettyOptions netty = new NettyOptions();
  @Mixin private final PushOptions push = new PushOptions();

  public static void main(String[] args) {
    ServerFrame.main(new NettyEvents(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    push.check();
    if (!push.push()) {
      throw new BadOption("--traffic echo is not allowed; this server pushes: --traffic push");
    }
    PushHub hub = new PushHub(push, context.registry());
    return NettyEchoServer.start(
        options,
        netty,
        context,
        pipeline ->
            pipeline.addLast(
                new HttpServerCodec(new HttpDecoderConfig(), MOST_PIPELINED),
                new HttpServerKeepAliveHandler(),
                new WholeRequests(MOST_BODY_BYTES),
                new EventHandler(hub, context)));
  }
}
