/** What tests ask of the processes that they start. */
@NullMarked
package echoladder.processes;

import org.jspecify.annotations.NullMarked;
