package echoladder.servers.contract.websocket;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Frames that a client sends without end and without reading the answers, until it is told that it is enough. */
final class Flood {
  /** Each message is this one. */
  static final Frame MESSAGE = Frame.binary(MessagesIT.random(64 << 10));

  private static final int PIECE_BYTES = 8 << 10;

  private static final int PINGS_AT_ONCE = 500;

  private final WebSocketPeer peer;
  private final byte[] block;
  private final long mostBytes;
  private final CompletableFuture<Integer> messages;
  private final AtomicLong sentBytes = new AtomicLong();
  private volatile boolean enough;

  private Flood(WebSocketPeer peer, byte[] block, long mostBytes) {
    this.peer = peer;
    this.block = block;
    this.mostBytes = mostBytes;
    this.messages = CompletableFuture.supplyAsync(this::send, task -> Thread.ofVirtual().start(task));
  }

  /** Begins to send {@link #MESSAGE} again and again, at most so many bytes. */
  static Flood ofMessages(WebSocketPeer peer, long mostBytes) {
    return new Flood(peer, MESSAGE.masked(), mostBytes);
  }

  /** Begins to send pings of the longest payload, at most so many bytes. */
  static Flood ofPings(WebSocketPeer peer, long mostBytes) {
    byte[][] pings = new byte[PINGS_AT_ONCE][];
    Arrays.setAll(pings, i -> Frame.ping(MessagesIT.random(Frame.CONTROL_BYTES_MAX)).masked());
    return new Flood(peer, Frame.concat(pings), mostBytes);
  }

  private int send() {
    int whole = 0;
    try {
      while (!enough && sentBytes.get() < mostBytes) {
        for (int at = 0; at < block.length; at += PIECE_BYTES) {
          byte[] piece = Arrays.copyOfRange(block, at, Math.min(block.length, at + PIECE_BYTES));
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
