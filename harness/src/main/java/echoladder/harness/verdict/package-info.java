/** Whether a rung may be quoted, and why a climb ended. */
@NullMarked
package echoladder.harness.verdict;

import org.jspecify.annotations.NullMarked;
