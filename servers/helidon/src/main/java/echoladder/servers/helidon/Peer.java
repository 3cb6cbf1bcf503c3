package echoladder.servers.helidon;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * A connection that is ended by the server, and its channel: Helidon gives a connection's own thread no way to be ended from another one
 * but an interrupt, which closes the channel without close_notify, and no way to a reset. Thread-safe.
 */
final class Peer {
  private final SocketChannel channel;
  private final Peers peers;
  private Runnable goodbye = this::endInput;
  private boolean told;

  Peer(SocketChannel channel, Peers peers) {
    this.channel = channel;
    this.peers = peers;
  }

  /** For the thread that reads, where that is not Helidon's, and for who ends the connection. */
  SocketChannel channel() {
    return channel;
  }

  /** What is to be done once the server stops; until this is called, the input is ended. It does not wait for anybody. */
  synchronized void goodbye(Runnable how) {
    goodbye = how;
    if (told) {
      how.run();
    }
  }

  /** The server stops. */
  synchronized void sayGoodbye() {
    told = true;
    goodbye.run();
  }

  /** Its connection has ended. */
  void ended() {
    peers.ended(this);
  }

  /** Has whoever reads see the end of what the client sends. */
  private void endInput() {
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      // Closed or reset in the meantime.
    }
  }
}
