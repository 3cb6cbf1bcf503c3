package echoladder.servers.contract.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Leaks;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A server's process, which serves all tests of a class; in the end Netty has lost none of its buffers. */
final class WebSocketServer implements AutoCloseable {
  private static final int ECHOES_AFTER_COLLECTION = 20;

  private final Variant variant;
  private final RunningServer server;

  private WebSocketServer(Variant variant, RunningServer server) {
    this.variant = variant;
    this.server = server;
  }

  /** Every WebSocket server as its manifest starts it. */
  static Stream<Variant> defaults() {
    return Variant.defaultsOf("websocket");
  }

  /** Those, and each in every other of its modes. */
  static Stream<Variant> all() {
    return Variant.allOf("websocket");
  }

  static WebSocketServer start(Variant variant) throws Exception {
    return new WebSocketServer(variant, RunningServer.start(variant));
  }

  RunningServer running() {
    return server;
  }

  /** A connection that has sent nothing. */
  WebSocketPeer connect() throws IOException {
    return new WebSocketPeer(server.address());
  }

  /** A connection that speaks WebSocket. */
  WebSocketPeer upgraded() throws IOException {
    return upgraded(server);
  }

  /** A connection that speaks WebSocket, to a server that is started elsewhere. */
  static WebSocketPeer upgraded(RunningServer server) throws IOException {
    WebSocketPeer peer = new WebSocketPeer(server.address());
    peer.send(WebSocketPeer.request());
    peer.awaitUpgrade();
    return peer;
  }

  /** So many, of which each has asked for the upgrade before the first answer is read. */
  static List<WebSocketPeer> upgradedAtOnce(RunningServer server, int count) throws IOException {
    List<WebSocketPeer> peers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      WebSocketPeer peer = new WebSocketPeer(server.address());
      peers.add(peer);
      peer.send(WebSocketPeer.request());
    }
    for (WebSocketPeer peer : peers) {
      peer.awaitUpgrade();
    }
    return peers;
  }

  @Override
  public void close() throws IOException {
    try (server) {
      if (variant.followed()) {
        URI gc = server.ready().gc();
        server.ask("POST", gc);
        try (WebSocketPeer peer = upgraded()) {
          for (int i = 0; i < ECHOES_AFTER_COLLECTION; i++) {
            peer.echo(Frame.binary(new byte[64]));
          }
        }
        assertThat(Leaks.in(server.logLines().stream())).as("%s: buffers that were not released", server).isEmpty();
      }
    }
  }
}
