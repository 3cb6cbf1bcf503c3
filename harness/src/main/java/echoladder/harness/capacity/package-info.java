/** The highest rate that a server holds: which rate is tried next, what a try showed, and the answer. Pure. */
@NullMarked
package echoladder.harness.capacity;

import org.jspecify.annotations.NullMarked;
