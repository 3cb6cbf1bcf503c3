/** The growing report of a run, over loopback. */
@NullMarked
package echoladder.harness.watch;

import org.jspecify.annotations.NullMarked;
