/** Taking a run up again: what is in its way, what an interrupted rung has left, and what is no longer as it was. */
@NullMarked
package echoladder.harness.resume;

import org.jspecify.annotations.NullMarked;
