/** The intended sends of a loop on the clock of the run. */
@NullMarked
package echoladder.openloop.schedule;

import org.jspecify.annotations.NullMarked;
