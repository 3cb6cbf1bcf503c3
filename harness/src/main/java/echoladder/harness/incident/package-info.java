/** What a running process uses of its limits, and which of them stops it first, at how many connections. */
@NullMarked
package echoladder.harness.incident;

import org.jspecify.annotations.NullMarked;
