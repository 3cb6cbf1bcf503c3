package echoladder.servers.netty;

import echoladder.servers.kit.options.TlsOptions;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.Map;
import javax.net.ssl.SSLException;

/** Netty's SslHandler under what else a pipeline has. Needs the jars of {@link TlsLibraries}. */
final class TlsLayer {
  private final SslContext ssl;
  private final Map<String, Object> running;
  private final TlsEnd end = new TlsEnd();

  private TlsLayer(SslContext ssl, Map<String, Object> running) {
    this.ssl = ssl;
    this.running = running;
  }

  /** TLS by that engine. */
  static TlsLayer of(TlsOptions tls, TlsEngine engine) throws IOException {
    boolean boring = engine == TlsEngine.BORINGSSL;
    SslContext ssl = boring ? BoringSsl.context(tls) : jdkContext(tls);
    String library = boring ? BoringSsl.library() : "JDK, SSLEngine";
    return new TlsLayer(ssl, tls.running(library + " in Netty's SslHandler"));
  }

  /** Adds it to a pipeline, whose other handlers are still to come. */
  void add(ChannelPipeline pipeline) {
    // Not newHandler(): there BoringSSL's engine opens several records at once, and EagerEchoHandler has to see each by itself.
    SslHandler handler = new SslHandler(ssl.newEngine(pipeline.channel().alloc()));
    handler.setHandshakeTimeoutMillis(TlsOptions.HANDSHAKE_MOST.toMillis());
    pipeline.addLast(handler, end);
  }

  /** What the ready line says of it. */
  Map<String, Object> running() {
    return running;
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
