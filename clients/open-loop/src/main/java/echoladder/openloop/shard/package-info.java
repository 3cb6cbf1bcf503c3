/** The processes of a load, each with its event loops: this process, a child, or one on another host. */
@NullMarked
package echoladder.openloop.shard;

import org.jspecify.annotations.NullMarked;
