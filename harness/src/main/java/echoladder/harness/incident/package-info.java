/** Of a process that runs: what it uses of its limits, and which of them stops it first, at how many connections. */
@NullMarked
package echoladder.harness.incident;

import org.jspecify.annotations.NullMarked;
