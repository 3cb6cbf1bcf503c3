/** The reference, not a contender: a minimal epoll loop per core, under TCP, HTTP and WebSocket. */
@NullMarked
package echoladder.servers.floor;

import org.jspecify.annotations.NullMarked;
