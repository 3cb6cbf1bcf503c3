/** Where the cost of an echo goes: what one of each thing costs, and a server's cost above another's as a sum of parts. */
@NullMarked
package echoladder.harness.breakdown;

import org.jspecify.annotations.NullMarked;
