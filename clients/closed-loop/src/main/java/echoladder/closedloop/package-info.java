/** Users in stages who wait for their answers. */
@NullMarked
package echoladder.closedloop;

import org.jspecify.annotations.NullMarked;
