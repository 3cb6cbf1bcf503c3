/** Kernel settings by profile: what would change, changing it with a journal, and putting it back. */
@NullMarked
package echoladder.harness.tune;

import org.jspecify.annotations.NullMarked;
