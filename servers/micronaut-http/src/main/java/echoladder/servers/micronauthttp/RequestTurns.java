package echoladder.servers.micronauthttp;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;

/**
 * Hands Micronaut one request of a connection at a time. Where handlers have threads of their own, Micronaut runs those of requests that
 * came together at once, and publishes would take effect in any order. Confined to its event loop.
 */
// A failed write closes the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestTurns extends ChannelDuplexHandler {
  private final IntConsumer dropped;
  private final ArrayDeque<Object> waiting = new ArrayDeque<>(2);
  private int unanswered;
  private boolean readWanted;

  /**
   * Begins with no request.
   *
   * @param dropped told of how many requests nothing will be answered, as they stand behind a stream
   */
  RequestTurns(IntConsumer dropped) {
    this.dropped = dropped;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (waiting.isEmpty() && isNext(message)) {
      handOn(ctx, message);
    } else {
      waiting.add(message);
    }
  }

  /** The rest of a request goes with its head. */
  private boolean isNext(Object message) {
    return unanswered == 0 || !(message instanceof HttpRequest);
  }

  private void handOn(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest) {
      unanswered++;
    }
    ctx.fireChannelRead(message);
  }

  private void handOnNext(ChannelHandlerContext ctx) {
    boolean handed = false;
    for (Object next; (next = waiting.peek()) != null && isNext(next); handed = true) {
      waiting.remove();
      handOn(ctx, next);
    }
    if (handed) {
      ctx.fireChannelReadComplete();
    }
    readOn(ctx);
  }

  private void readOn(ChannelHandlerContext ctx) {
    if (readWanted && waiting.isEmpty()) {
      readWanted = false;
      ctx.read();
    }
  }

  /** What waits is bounded by what was read at once. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    readWanted = true;
    readOn(ctx);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse && !(message instanceof FullHttpResponse)) {
      // A stream, behind which nothing is answered.
      drop();
      readOn(ctx);
    }
    boolean answered = message instanceof LastHttpContent && !isInformational(message);
    ctx.write(message, promise);
    if (answered && unanswered > 0) {
      unanswered--;
      if (!waiting.isEmpty()) {
        // Not from within Micronaut's own writing.
        ctx.executor().execute(() -> handOnNext(ctx));
      }
    }
  }

  private static boolean isInformational(Object message) {
    return message instanceof HttpResponse response && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void drop() {
    int requests = 0;
    for (Object message; (message = waiting.poll()) != null; ) {
      requests += message instanceof HttpRequest ? 1 : 0;
      ReferenceCountUtil.release(message);
    }
    dropped.accept(requests);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    drop();
  }
}
