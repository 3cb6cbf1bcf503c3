package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.ServerOptions;
import echoladder.servers.kit.WebSocketOptions;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The async baseline under WebSocket: Netty's own codec on the same event loops. */
@Command(name = "netty-websocket", description = "WebSocket echo at /echo on Netty's event loops, by its own codec.")
public final class NettyWebSocket implements EchoProgram {
  static final String PATH = "/echo";

  @Mixin private final NettyOptions netty = new NettyOptions();
  @Mixin private final WebSocketOptions webSocket = new WebSocketOptions();

  public static void main(String[] args) {
    ServerFrame.main(new NettyWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    webSocket.check();
    int mostBytes = webSocket.maxMessageBytes();
    WebSocketServerProtocolConfig config =
        WebSocketServerProtocolConfig.newBuilder()
            .websocketPath(PATH)
            // Else the codec sends another close, of 1000, behind the one that says what was wrong.
            .sendCloseFrame(null)
            .decoderConfig(WebSocketDecoderConfig.newBuilder().maxFramePayloadLength(mostBytes).build())
            .build();
    return NettyEchoServer.start(
        options,
        netty,
        context,
        pipeline -> {
          UpgradeGuard guard = new UpgradeGuard();
          pipeline.addLast(
              guard.heads(),
              new HttpServerCodec(),
              guard,
              new WebSocketServerProtocolHandler(config),
              new WebSocketHandler(context, mostBytes));
        });
  }
}
