/** Reads what a run recorded over time: the interval logs of its rungs and samples.csv. */
@NullMarked
package echoladder.harness.report.samples;

import org.jspecify.annotations.NullMarked;
