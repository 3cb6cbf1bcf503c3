package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The async baseline. */
@Command(name = "netty", description = "TCP echo on Netty's event loops.")
public final class NettyEcho implements EchoProgram {
  @Mixin private final NettyOptions netty = new NettyOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--tls-engine",
      paramLabel = "NAME",
      defaultValue = "jdk",
      description = "With --tls on, who encrypts: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private TlsEngine engine = TlsEngine.JDK;

  public static void main(String[] args) {
    if (TlsLibraries.asked(args)) {
      TlsLibraries.serve(args);
    } else {
      serve(args);
    }
  }

  /** Serves with the classes that this one is loaded with. */
  public static void serve(String[] args) {
    ServerFrame.main(new NettyEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    push.check();
    tls.check(push.push());
    if (tls.on()) {
      return overTls(options, context);
    }
    if (!push.push()) {
      return NettyEchoServer.start(options, netty, context, pipeline -> pipeline.addLast(new EchoHandler(context)));
    }
    PushHub hub = new PushHub(push, context.registry());
    return NettyEchoServer.start(options, netty, context, pipeline -> pipeline.addLast(new PushHandler(hub, context)));
  }

  private EchoServer overTls(ServerOptions options, EchoContext context) throws IOException {
    TlsLayer layer = TlsLayer.of(tls, engine);
    return NettyEchoServer.start(
        options, netty, context,
        pipeline -> {
          layer.add(pipeline);
          pipeline.addLast(engine == TlsEngine.BORINGSSL ? new EagerEchoHandler(context) : new EchoHandler(context));
        },
        layer.running());
  }
}
