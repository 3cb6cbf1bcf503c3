/** Messages that are published on a connection of their own, for a server to push to its subscribers. */
@NullMarked
package echoladder.openloop.publish;

import org.jspecify.annotations.NullMarked;
