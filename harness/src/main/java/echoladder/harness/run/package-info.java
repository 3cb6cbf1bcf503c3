/** Where the rungs of a run are measured: its setup, its servers as they are started, attached or afar, and what the user sees of it. */
@NullMarked
package echoladder.harness.run;

import org.jspecify.annotations.NullMarked;
