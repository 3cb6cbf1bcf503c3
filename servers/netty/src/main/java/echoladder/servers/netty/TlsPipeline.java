package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** Echo under Netty's SslHandler. Needs the jars of {@link TlsLibraries}. */
final class TlsPipeline {
  private TlsPipeline() {}

  static EchoServer start(ServerOptions common, NettyOptions netty, TlsOptions tls, TlsEngine engine, EchoContext context)
      throws IOException {
    boolean boring = engine == TlsEngine.BORINGSSL;
    SslContext ssl = boring ? BoringSsl.context(tls) : jdkContext(tls);
    String library = boring ? BoringSsl.library() : "JDK, SSLEngine";
    return NettyEchoServer.start(
        common, netty, context,
        pipeline -> {
          // Not newHandler(): there BoringSSL's engine opens several records at once, and EagerEchoHandler has to see each by itself.
          SslHandler handler = new SslHandler(ssl.newEngine(pipeline.channel().alloc()));
          handler.setHandshakeTimeoutMillis(TlsOptions.HANDSHAKE_MOST.toMillis());
          pipeline.addLast(handler, boring ? new EagerEchoHandler(context) : new TlsEchoHandler(context));
        },
        tls.running(library + " in Netty's SslHandler"));
  }

  private static SslContext jdkContext(TlsOptions tls) {
    try {
      return SslContextBuilder.forServer(tls.keys())
          .sslProvider(SslProvider.JDK)
          .protocols(TlsOptions.VERSIONS)
          .build();
    } catch (SSLException e) {
      throw tls.unusable(e);
    }
  }
}
