/** What the published runs say of memory and CPU, and what follows from that for connections that somebody has to hold. */
@NullMarked
package echoladder.harness.published;

import org.jspecify.annotations.NullMarked;
