/** HTTP echo on the JDK's own HttpServer. */
@NullMarked
package echoladder.servers.jdkhttp;

import org.jspecify.annotations.NullMarked;
