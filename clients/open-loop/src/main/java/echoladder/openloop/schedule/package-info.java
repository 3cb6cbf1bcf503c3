/** When sends are intended: schedules fixed by plan and seed before the run, and their place on its clock. */
@NullMarked
package echoladder.openloop.schedule;

import org.jspecify.annotations.NullMarked;
