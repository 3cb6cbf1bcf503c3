/** Drives wrk2 and judges what it reports. */
@NullMarked
package echoladder.wrk2;

import org.jspecify.annotations.NullMarked;
