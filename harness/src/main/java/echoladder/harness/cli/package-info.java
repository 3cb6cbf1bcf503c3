/** The verbs, one file each. Those that begin a run and those that tune have rooms of their own, which do not need the others. */
@NullMarked
package echoladder.harness.cli;

import org.jspecify.annotations.NullMarked;
