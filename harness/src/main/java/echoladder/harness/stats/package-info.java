/** What repeats allow to be said: medians with their spread, and ratios of pairs with an interval. */
@NullMarked
package echoladder.harness.stats;

import org.jspecify.annotations.NullMarked;
