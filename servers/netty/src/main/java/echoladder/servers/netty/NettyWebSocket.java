package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import echoladder.servers.kit.options.WebSocketOptions;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The async baseline under WebSocket: Netty's own codec on the same event loops. */
@Command(name = "netty-websocket", description = "WebSocket echo at /echo on Netty's event loops, by its own codec.")
public final class NettyWebSocket implements EchoProgram {
  static final String PATH = "/echo";

  /** A publish of the longest body: kind, topic, body. */
  private static final int MOST_FRAME_BYTES = 5 + (1 << 20);

  @Mixin private final NettyOptions netty = new NettyOptions();
  @Mixin private final WebSocketOptions webSocket = new WebSocketOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  public static void main(String[] args) {
    ServerFrame.main(new NettyWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    webSocket.check();
    push.check();
    tls.check(push.push());
    TlsLayer layer = tls.on() ? TlsLayer.of(tls, TlsEngine.JDK) : null;
    int mostBytes = push.push() ? Math.max(webSocket.maxMessageBytes(), MOST_FRAME_BYTES) : webSocket.maxMessageBytes();
    WebSocketServerProtocolConfig config =
        WebSocketServerProtocolConfig.newBuilder()
            .websocketPath(PATH)
            // What is pushed goes out before the answer to a close frame, behind which nothing can.
            .handleCloseFrames(!push.push())
            // Else the codec sends another close, of 1000, behind the one that says what was wrong.
            .sendCloseFrame(null)
            .decoderConfig(WebSocketDecoderConfig.newBuilder().maxFramePayloadLength(mostBytes).build())
            .build();
    PushHub hub = push.push() ? new PushHub(push, context.registry()) : null;
    return NettyEchoServer.start(
        options,
        netty,
        context,
        pipeline -> {
          if (layer != null) {
            layer.add(pipeline);
          }
          UpgradeGuard guard = new UpgradeGuard();
          pipeline.addLast(
              guard.heads(),
              new HttpServerCodec(),
              guard,
              new PausableWebSocket(config));
          if (hub == null) {
            pipeline.addLast(new WebSocketHandler(context, mostBytes));
          } else {
            pipeline.addLast(new WebSocketFrameAggregator(mostBytes), new SocketPushHandler(hub, context));
          }
        },
        layer == null ? Map.of() : layer.running());
  }
}
