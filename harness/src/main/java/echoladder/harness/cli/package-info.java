/** The verbs, one file each. */
@NullMarked
package echoladder.harness.cli;

import org.jspecify.annotations.NullMarked;
