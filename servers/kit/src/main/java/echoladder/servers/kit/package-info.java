/** What the Java servers share: arguments, ready line, metrics, the blocking echo loop. */
@NullMarked
package echoladder.servers.kit;

import org.jspecify.annotations.NullMarked;
