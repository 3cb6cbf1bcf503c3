/** From an error text, or the number at which a server stops, to its page and the command that lifts the limit. */
@NullMarked
package echoladder.harness.explain;

import org.jspecify.annotations.NullMarked;
