package echoladder.servers.netty;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Locale;

/** Netty's allocators, each with its defaults. */
enum Allocator {
  ADAPTIVE,
  POOLED,
  UNPOOLED;

  ByteBufAllocator create() {
    return switch (this) {
      case ADAPTIVE -> new AdaptiveByteBufAllocator();
      case POOLED -> PooledByteBufAllocator.DEFAULT;
      case UNPOOLED -> UnpooledByteBufAllocator.DEFAULT;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
