/** HTTP and WebSocket on Helidon, with a virtual thread for each connection, and a second one where it pushes. */
@NullMarked
package echoladder.servers.helidon;

import org.jspecify.annotations.NullMarked;
