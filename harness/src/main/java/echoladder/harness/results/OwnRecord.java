package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.PushPaths;
import echoladder.harness.server.OwnServer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the command line said of a server of the user's own.
 *
 * @param command that a shell started; null = it ran already
 * @param pid of the process that ran already; null = it was started
 * @param port of 127.0.0.1 where it accepted
 * @param http what it was asked; null = it did not speak HTTP
 * @param websocketPath where its upgrades were asked for; null = it did not speak WebSocket, or {@code websocketPush} says it
 * @param websocketPush where it was subscribed to and published to over WebSocket; null = it was not
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record OwnRecord(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String command,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long pid,
    int port,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HttpAsk http,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String websocketPath,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PushPaths websocketPush) {

  /** As it is climbed. */
  public static OwnRecord of(OwnServer own) {
    HttpAsk ask = own.ask();
    boolean webSocket = own.protocol() == Protocol.WEBSOCKET;
    return new OwnRecord(
        own.command(), own.pid(), own.port(), own.protocol() == Protocol.HTTP ? ask : null,
        webSocket && ask.push() == null ? ask.path() : null, webSocket ? ask.push() : null);
  }

  /** Whether its answers were told by their status alone. */
  public boolean uncompared() {
    return http != null && http.request() != null;
  }
}
