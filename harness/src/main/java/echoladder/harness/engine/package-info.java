/**
 * A run: which rung is next, what is measured of it, how it is judged. {@link echoladder.harness.engine.Climb} has the loop. Where servers
 * and clients are started is the matter of the package {@code run} below.
 */
@NullMarked
package echoladder.harness.engine;

import org.jspecify.annotations.NullMarked;
