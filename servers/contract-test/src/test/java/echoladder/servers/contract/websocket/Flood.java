package echoladder.servers.contract.websocket;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Messages that a client sends without end and without reading the echoes, until it is told that it is enough. */
final class Flood {
  /** Each message is this one. */
  static final Frame MESSAGE = Frame.binary(MessagesIT.random(64 << 10));

  private static final int PIECE_BYTES = 8 << 10;

  private final WebSocketPeer peer;
  private final long mostBytes;
  private final CompletableFuture<Integer> messages;
  private final AtomicLong sentBytes = new AtomicLong();
  private volatile boolean enough;

  /** Begins to send, at most so many bytes. */
  Flood(WebSocketPeer peer, long mostBytes) {
    this.peer = peer;
    this.mostBytes = mostBytes;
    this.messages = CompletableFuture.supplyAsync(this::send, task -> Thread.ofVirtual().start(task));
  }

  private int send() {
    byte[] message = MESSAGE.masked();
    int whole = 0;
    try {
      while (!enough && sentBytes.get() < mostBytes) {
        for (int at = 0; at < message.length; at += PIECE_BYTES) {
          byte[] piece = Arrays.copyOfRange(message, at, Math.min(message.length, at + PIECE_BYTES));
          peer.send(piece);
          sentBytes.addAndGet(piece.length);
        }
        whole++;
      }
      peer.send(Frame.close(1000, ""));
    } catch (IOException e) {
      // The connection ended, by this end or by the server.
    }
    return whole;
  }

  /** What the kernels and the server have taken so far. */
  long sentBytes() {
    return sentBytes.get();
  }

  /** Lets it end its message, and the connection with a close frame. */
  void enough() {
    enough = true;
  }

  /** How many messages were sent whole, once the connection has ended. */
  int messages() {
    return messages.join();
  }

  @Override
  public String toString() {
    return sentBytes.get() + " B";
  }
}
