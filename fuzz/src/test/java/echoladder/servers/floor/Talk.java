package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** What a conversation of the floor answers. Its peer takes nothing, so that every answer is kept for it and can be looked at. */
final class Talk {
  /** More than the answers to the longest input. */
  private static final int MOST_BYTES = 8 << 20;

  private static final int SO_SNDBUF = 7;
  private static final int SMALL = 4_096;
  private static final int LOOKS = 10;
  private static final long LOOK_NS = 20_000_000;

  private static final SystemCalls SYS = new SystemCalls();
  private static final ServerSocket PEER = peer();
  private static final int FULL = full();
  private static final Outgoing OUT = new Outgoing(SYS, MOST_BYTES);

  private Talk() {}

  private static ServerSocket peer() {
    try {
      ServerSocket peer = new ServerSocket();
      peer.setReceiveBufferSize(SMALL);
      peer.bind(new InetSocketAddress("127.0.0.1", 0));
      return peer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection that takes nothing more. */
  private static int full() {
    int fd = SYS.tcpSocket();
    try {
      SYS.setOption(fd, SystemCalls.SOL_SOCKET, SO_SNDBUF, SMALL);
      SYS.connect(fd, SocketAddress.of("127.0.0.1", PEER.getLocalPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    MemorySegment page = Arena.global().allocate(SMALL);
    for (int looks = 0; looks < LOOKS; ) {
      int n = SYS.write(fd, page, SMALL);
      looks = n == -Errno.EAGAIN ? looks + 1 : 0;
      if (n < 0 && n != -Errno.EAGAIN) {
        throw new IllegalStateException("a connection that is to be filled: " + Errno.name(-n));
      }
      if (n < 0) {
        LockSupport.parkNanos(LOOK_NS);
      }
    }
    return fd;
  }

  /** The answers to an input that comes in pieces of that size, up to the end of the conversation. No time passes. */
  static byte[] answers(Conversation conversation, byte[] input, int piece) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int at = 0; at < input.length && !conversation.ends(); ) {
      int to = (int) Math.min(input.length, (long) at + piece);
      OUT.begin(FULL);
      // Of its own: the loop's buffer is written to, and used again at once.
      byte[] in = Arrays.copyOfRange(input, at, to);
      conversation.received(in, in.length, OUT);
      Arrays.fill(in, (byte) 0);
      while (conversation.waitNs() > 0) {
        conversation.waited();
        conversation.timeUp(OUT);
        conversation.goOn(OUT);
      }
      byte[] answer = OUT.end();
      if (answer != null) {
        all.writeBytes(answer);
      }
      at = to;
    }
    return all.toByteArray();
  }
}
