/** The reference, not a contender: a minimal epoll echo loop per core. */
@NullMarked
package echoladder.servers.floor;

import org.jspecify.annotations.NullMarked;
