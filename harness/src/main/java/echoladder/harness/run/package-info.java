/** The climb: the only side effects. */
@NullMarked
package echoladder.harness.run;

import org.jspecify.annotations.NullMarked;
