/** What a run leaves behind. */
@NullMarked
package echoladder.harness.results;

import org.jspecify.annotations.NullMarked;
