/** study -> plan -> run -> report; probes; the command line. */
@NullMarked
package echoladder.harness;

import org.jspecify.annotations.NullMarked;
