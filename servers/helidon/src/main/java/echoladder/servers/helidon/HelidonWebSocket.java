package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
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

/** WebSocket on Helidon: each connection has a virtual thread, which reads its frames and writes them back, or pushes them. */
@Command(name = "helidon-websocket", description = "WebSocket on Helidon: echo, or push.")
public final class HelidonWebSocket implements EchoProgram {
  private static final Duration UPGRADE_TIMEOUT = Duration.ofSeconds(30);

  @Mixin private final WebSocketOptions webSocket = new WebSocketOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  public static void main(String[] args) {
    ServerFrame.main(new HelidonWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    webSocket.check();
    push.check();
    tls.check(push.push());
    int maxMessageBytes =
        push.push()
            ? Math.max(webSocket.maxMessageBytes(), PushListener.MESSAGE_HEAD_BYTES + PushListener.MOST_BODY_BYTES)
            : webSocket.maxMessageBytes();
    WsConfig protocol = WsConfig.builder().maxFrameLength(maxMessageBytes).build();
    Http1ConnectionSelector selector =
        Http1ConnectionSelector.builder().config(Http1Config.create()).addUpgrader(WsUpgrader.create(protocol)).build();
    if (push.push()) {
      Push shared = Push.of(push, context);
      return HelidonServer.start(
          options,
          context,
          new ListenerOptions(selector, UPGRADE_TIMEOUT, tls, shared.peers()),
          shared.peers(),
          server ->
              server
                  .addProtocol(protocol)
                  .routing(HelidonWebSocket::withoutUpgrade)
                  .addRouting(WsRouting.builder().endpoint("/echo", () -> new PushListener(shared, maxMessageBytes))));
    }
    Peers peers = tls.on() ? new Peers(context.metrics()) : null;
    Sessions sessions = new Sessions(context.metrics(), peers);
    return HelidonServer.start(
        options,
        context,
        new ListenerOptions(selector, UPGRADE_TIMEOUT, tls, peers),
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
