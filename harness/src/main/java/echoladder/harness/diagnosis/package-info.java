/** Which limit was met: what server, client and kernel showed of a rung, and what follows from it. */
@NullMarked
package echoladder.harness.diagnosis;

import org.jspecify.annotations.NullMarked;
