package echoladder.servers.floor;

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

/** The floor under every TCP server here: an epoll echo loop per core, and nothing else; over TLS that and OpenSSL. */
@Command(name = "floor", description = "TCP echo, a minimal epoll loop per core: the reference, not a contender.")
public final class FloorEcho implements EchoProgram {
  @Mixin private final LoopOptions loops = new LoopOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--tls-engine",
      paramLabel = "NAME",
      defaultValue = "openssl",
      description = "With --tls on, who makes and reads records: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private TlsEngine engine = TlsEngine.OPENSSL;

  public static void main(String[] args) {
    ServerFrame.main(new FloorEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    push.check();
    tls.check(push.push());
    if (tls.on()) {
      return overTls(options, context);
    }
    if (!push.push()) {
      return loops.start(options, context, EchoLoop::new);
    }
    PushHub hub = new PushHub(push, context.registry());
    return loops.start(options, context, setup -> new PushLoop(setup, hub));
  }

  private EchoServer overTls(ServerOptions options, EchoContext context) throws IOException {
    OpenSslContext openSsl = OpenSslContext.of(tls, engine);
    if (engine == TlsEngine.OPENSSL) {
      return loops.start(options, context, setup -> new TlsEchoLoop(setup, openSsl), tls.running(openSsl.version()));
    }
    String library = openSsl.version() + ", with records by Linux " + System.getProperty("os.version");
    return loops.start(options, context, setup -> new KernelTlsLoop(setup, openSsl, context.log()::say), tls.running(library));
  }
}
