/** The embedded open-loop load generator. */
@NullMarked
package echoladder.openloop;

import org.jspecify.annotations.NullMarked;
