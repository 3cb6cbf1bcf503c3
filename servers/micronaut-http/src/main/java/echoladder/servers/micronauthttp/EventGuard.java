package echoladder.servers.micronauthttp;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells an {@link EventStream} what the kernel has of it, and when its connection has closed. Behind the {@link RequestGuard} of its
 * connection, on its event loop.
 */
// A failed write of an event closes the channel, which channelInactive sees.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventGuard extends ChannelDuplexHandler {
  private final RequestGuard requests;
  private final AtomicLong streams;
  private @Nullable EventStream stream;

  /** Whether the head of the stream is written: what comes now is the stream, and not an answer before it. */
  private boolean streaming;

  /**
   * A connection that has no stream yet.
   *
   * @param streams counts those of all connections that have one
   */
  EventGuard(RequestGuard requests, AtomicLong streams) {
    this.requests = requests;
    this.streams = streams;
  }

  /** A stream was asked for: nothing behind it is answered. */
  void begins(EventStream begun) {
    stream = begun;
    streams.incrementAndGet();
    requests.streams();
  }

  /** Has the stream end behind what waits for it; false where there is none. */
  boolean finishes() {
    EventStream begun = stream;
    if (begun != null) {
      begun.finish();
    }
    return begun != null;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    EventStream begun = stream;
    if (begun == null) {
      ctx.write(message, promise);
    } else if (message instanceof HttpResponse) {
      // An answer to a request before it is written as a whole.
      streaming = !(message instanceof FullHttpResponse);
      ctx.write(message, promise);
      if (streaming) {
        // Micronaut does so with the first event only.
        ctx.flush();
      }
    } else if (streaming && message instanceof LastHttpContent) {
      ctx.write(message, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
    } else if (streaming && message instanceof HttpContent content && content.content().isReadable()) {
      int bytes = content.content().readableBytes();
      ChannelPromise told = promise.isVoid() ? ctx.newPromise() : promise;
      ctx.write(
          message,
          told.addListener(
              written -> {
                if (written.isSuccess()) {
                  begun.taken(bytes);
                } else {
                  // Netty finds no memory to copy it to, say: the chunk's head may be out.
                  ctx.close();
                }
              }));
    } else {
      ctx.write(message, promise);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    EventStream begun = stream;
    if (begun != null) {
      begun.closed();
      streams.decrementAndGet();
    }
    ctx.fireChannelInactive();
  }
}
