/** When sends are intended: fixed before the run by plan and seed. Pure arithmetic, without a clock. */
@NullMarked
package echoladder.client.schedule;

import org.jspecify.annotations.NullMarked;
