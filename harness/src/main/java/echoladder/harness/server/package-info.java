/** A server as a folder with a manifest, and as a process. */
@NullMarked
package echoladder.harness.server;

import org.jspecify.annotations.NullMarked;
