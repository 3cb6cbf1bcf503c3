/** A run in sentences, and the tables that a terminal shows of a run or a plan. */
@NullMarked
package echoladder.harness.report.text;

import org.jspecify.annotations.NullMarked;
