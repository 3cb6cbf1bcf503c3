package echoladder.openloop.shard;

import echoladder.client.LoadPlan;
import echoladder.client.StagedLoad;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.linux.Errno;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.HttpHead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Answers a JIT warm-up as the plan's server would: with the same bytes, the right body over HTTP, or the same message over
 * WebSocket. The warm-up's
 * messages are small and one at a time: each arrives in one read, and a socket never lacks room for its answer.
 */
final class JitWarmUpServer {
  private static final int BUFFER_BYTES = 64 << 10;

  private final LoadPlan plan;
  private final SystemCalls sys = new SystemCalls();
  private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  private final MemorySegment answer = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  // One for all connections, as each frame arrives whole.
  private final FrameHeads frames = new FrameHeads(1, true);

  /** Belongs to the thread that makes it. */
  JitWarmUpServer(LoadPlan plan) {
    this.plan = plan;
  }

  /** Answers until every one of the connections has come and gone, or until that time. */
  void serve(int listener, int connections, long endNs) {
    int gone = 0;
    try (Epoll epoll = Epoll.open(sys, 256)) {
      epoll.add(listener, Epoll.IN, listener);
      while (gone < connections && System.nanoTime() < endNs) {
        int n = epoll.await(100_000_000);
        for (int i = 0; i < n; i++) {
          int fd = epoll.token(i);
          if (fd == listener) {
            accept(epoll, listener);
          } else if (!answered(fd)) {
            sys.close(fd);
            gone++;
          }
        }
      }
    }
  }

  private void accept(Epoll epoll, int listener) {
    int accepted = sys.accept(listener);
    if (accepted >= 0 && epoll.add(accepted, Epoll.IN, accepted) < 0) {
      sys.close(accepted);
    }
  }

  /** Whether the connection goes on. */
  private boolean answered(int fd) {
    int bytes = sys.read(fd, buffer, BUFFER_BYTES);
    if (bytes > 0) {
      bytes =
          switch (plan.protocol()) {
            case TCP -> sys.write(fd, buffer, bytes);
            case HTTP -> sys.write(fd, answer, overHttp(bytes));
            case WEBSOCKET -> sys.write(fd, answer, overWebSocket(bytes));
          };
    }
    return bytes > 0 || bytes == -Errno.EAGAIN;
  }

  /** Puts the answer to the request in the buffer into place; how many bytes it has. */
  private int overHttp(int bytes) {
    MemorySegment body = body(bytes);
    int status = plan.staged() == null ? plan.http().status() : 200;
    byte[] head =
        ("HTTP/1.1 " + status + " OK\r\nContent-Length: " + body.byteSize() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(MemorySegment.ofArray(head), 0, answer, 0, head.length);
    MemorySegment.copy(body, 0, answer, head.length, body.byteSize());
    return head.length + (int) body.byteSize();
  }

  /** Puts the answer to the upgrade or to the frame in the buffer into place; how many bytes it has. */
  private int overWebSocket(int bytes) {
    if (buffer.get(ValueLayout.JAVA_BYTE, 0) == 'G') {
      String asked = new String(buffer.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
      byte[] right = Upgrade.answer(String.valueOf(Upgrade.header(asked, "Sec-WebSocket-Key")));
      MemorySegment.copy(MemorySegment.ofArray(right), 0, answer, 0, right.length);
      return right.length;
    }
    int at = frames.take(0, buffer, 0, bytes);
    int length = frames.left(0);
    Frames.mask(buffer, at, length, frames.mask(0));
    int from = Frames.head(answer, 0, Frames.BINARY, true, length);
    MemorySegment.copy(buffer, at, answer, from, length);
    frames.passed(0, length);
    return from + length;
  }

  private MemorySegment body(int bytes) {
    if (plan.staged() == null) {
      int head = Math.max(0, HttpHead.end(buffer, 0, bytes));
      return buffer.asSlice(head, bytes - head);
    }
    String asked = new String(buffer.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    String right =
        plan.staged().requests().stream()
            .filter(request -> asked.startsWith("GET " + request.path() + " "))
            .map(StagedLoad.Request::answer)
            .findFirst()
            .orElse("");
    return MemorySegment.ofArray(right.getBytes(StandardCharsets.US_ASCII));
  }
}
