package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Hooks into Micronaut's channels: counts connections, guards their requests, pauses a listener that cannot accept. */
@Singleton
final class ServerChannels implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final EchoMetrics metrics;
  private final AcceptErrors acceptErrors;
  private final Guard guard;
  private final ChannelFutureListener closed;
  private volatile @Nullable Channel listener;

  ServerChannels(EchoContext context, Guard guard) {
    this.metrics = context.metrics();
    this.acceptErrors = context.acceptErrors();
    this.guard = guard;
    this.closed = future -> metrics.connectionClosed();
  }

  /** The listening channel; null before the start. */
  @Nullable Channel listener() {
    return listener;
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new Hook(null));
    return event.getBean();
  }

  private final class Hook implements NettyServerCustomizer {
    private final @Nullable Channel connection;

    Hook(@Nullable Channel connection) {
      this.connection = connection;
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      return switch (role) {
        case LISTENER -> {
          listener = channel;
          channel.pipeline().addFirst(new Accepting());
          yield this;
        }
        case CONNECTION -> {
          metrics.connectionAccepted();
          channel.closeFuture().addListener(closed);
          yield new Hook(channel);
        }
        default -> this;
      };
    }

    @Override
    public void onStreamPipelineBuilt() {
      if (connection != null) {
        guard.add(connection.pipeline());
      }
    }
  }

  /** Before Netty's own acceptor, whose pause of one second after a failure nobody hears of. */
  private final class Accepting extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
      ctx.fireChannelRead(accepted);
      if (!acceptErrors.mayAccept()) {
        pause(ctx.channel());
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      acceptErrors.failed(cause);
      pause(ctx.channel());
    }

    private void pause(Channel channel) {
      channel.config().setAutoRead(false);
      var _ =
          channel
              .eventLoop()
              .schedule(
                  () -> {
                    if (acceptErrors.mayAccept()) {
                      channel.config().setAutoRead(true);
                    } else {
                      pause(channel);
                    }
                  },
                  AcceptErrors.PAUSE.toMillis(),
                  TimeUnit.MILLISECONDS);
    }
  }
}
