/** The async baseline: Netty on nio, epoll or io_uring, under TCP and WebSocket. */
@NullMarked
package echoladder.servers.netty;

import org.jspecify.annotations.NullMarked;
