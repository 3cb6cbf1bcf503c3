/** The catalogue of figures: one row for each, which everything that writes, shows or compares a figure reads. */
@NullMarked
package echoladder.harness.metric;

import org.jspecify.annotations.NullMarked;
