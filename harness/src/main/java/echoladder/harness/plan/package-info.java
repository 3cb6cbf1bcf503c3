/** From a study and a host to the rungs that will be climbed; pure arithmetic. */
@NullMarked
package echoladder.harness.plan;

import org.jspecify.annotations.NullMarked;
