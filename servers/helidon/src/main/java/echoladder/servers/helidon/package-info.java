/** HTTP and WebSocket echo on Helidon, a virtual thread for each connection. */
@NullMarked
package echoladder.servers.helidon;

import org.jspecify.annotations.NullMarked;
