/** Drives h2load, reads its log of every request, and judges what it reports. */
@NullMarked
package echoladder.h2load;

import org.jspecify.annotations.NullMarked;
