package echoladder.servers.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;

/** Requests with their bodies. One whose body is too long is answered by the next handler too, behind the requests before it. */
final class WholeRequests extends HttpObjectAggregator {
  /** What comes in place of a request whose body is too long. */
  static final Object TOO_LONG = new Object();

  WholeRequests(int mostBodyBytes) {
    super(mostBodyBytes);
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
    ctx.fireChannelRead(TOO_LONG);
  }
}
