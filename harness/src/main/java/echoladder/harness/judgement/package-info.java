/** Whether a rung may be quoted, and why a climb ended. */
@NullMarked
package echoladder.harness.judgement;

import org.jspecify.annotations.NullMarked;
