/** The event loop: one thread that opens its connections, sends on time, reads the answers and times them. */
@NullMarked
package echoladder.openloop.loop;

import org.jspecify.annotations.NullMarked;
