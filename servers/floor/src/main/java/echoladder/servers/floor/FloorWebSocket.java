package echoladder.servers.floor;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.WebSocketOptions;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The floor under every WebSocket server here: the same loops, with as little of RFC 6455 as its contract allows. */
@Command(
    name = "floor-websocket",
    description = "WebSocket echo at /echo on a minimal epoll loop per core: the reference, not a contender.")
public final class FloorWebSocket implements EchoProgram {
  /** From the first byte of an upgrade to its last. */
  private static final Duration UPGRADE_TIMEOUT = Duration.ofSeconds(10);

  @Mixin private final LoopOptions loops = new LoopOptions();
  @Mixin private final WebSocketOptions webSocket = new WebSocketOptions();

  public static void main(String[] args) {
    ServerFrame.main(new FloorWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    webSocket.check();
    return loops.start(
        options,
        context,
        setup -> new CodecLoop(setup, WebSocketConversation.ofLoop(webSocket.maxMessageBytes()), UPGRADE_TIMEOUT));
  }
}
