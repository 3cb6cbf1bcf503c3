/** The async baseline: Netty on nio, epoll or io_uring. */
@NullMarked
package echoladder.servers.netty;

import org.jspecify.annotations.NullMarked;
