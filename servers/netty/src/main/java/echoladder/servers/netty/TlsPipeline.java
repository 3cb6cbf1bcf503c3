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

/** Echo under Netty's SslHandler with the JDK's engine. Needs the jars of {@link TlsLibraries}. */
final class TlsPipeline {
  private TlsPipeline() {}

  static EchoServer start(ServerOptions common, NettyOptions netty, TlsOptions tls, EchoContext context) throws IOException {
    SslContext ssl = context(tls);
    return NettyEchoServer.start(
        common, netty, context,
        pipeline -> {
          SslHandler handler = ssl.newHandler(pipeline.channel().alloc());
          handler.setHandshakeTimeoutMillis(TlsOptions.HANDSHAKE_MOST.toMillis());
          pipeline.addLast(handler, new TlsEchoHandler(context));
        },
        tls.running("JDK, SSLEngine in Netty's SslHandler"));
  }

  private static SslContext context(TlsOptions tls) {
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
