package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.WebSocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.websocket.WsConfig;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.webserver.websocket.WsUpgrader;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** WebSocket echo on Helidon: each connection has a virtual thread, which reads its frames and writes them back. */
@Command(name = "helidon-websocket", description = "WebSocket echo on Helidon.")
public final class HelidonWebSocket implements EchoProgram {
  private static final Duration UPGRADE_TIMEOUT = Duration.ofSeconds(30);

  @Mixin private final WebSocketOptions webSocket = new WebSocketOptions();

  public static void main(String[] args) {
    ServerFrame.main(new HelidonWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    webSocket.check();
    int maxMessageBytes = webSocket.maxMessageBytes();
    WsConfig protocol = WsConfig.builder().maxFrameLength(maxMessageBytes).build();
    Sessions sessions = new Sessions(context.metrics());
    return HelidonServer.start(
        options,
        context,
        Http1ConnectionSelector.builder().config(Http1Config.create()).addUpgrader(WsUpgrader.create(protocol)).build(),
        UPGRADE_TIMEOUT,
        sessions,
        server ->
            server
                .addProtocol(protocol)
                .routing(HelidonWebSocket::withoutUpgrade)
                .addRouting(WsRouting.builder().endpoint("/echo", () -> new EchoListener(sessions, context.metrics(), maxMessageBytes))));
  }

  private static void withoutUpgrade(HttpRouting.Builder routing) {
    routing.any(
        "/echo",
        (request, answer) ->
            answer
                .status(Status.create(426, "Upgrade Required"))
                .header(HeaderNames.UPGRADE, "websocket")
                .header(HeaderNames.CONNECTION, "Upgrade")
                .send("GET /echo upgrades to WebSocket, version 13\n"));
  }
}
