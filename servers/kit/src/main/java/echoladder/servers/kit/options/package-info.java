/** Options of servers on the command line, and how a server says that it cannot take them. */
@NullMarked
package echoladder.servers.kit.options;

import org.jspecify.annotations.NullMarked;
