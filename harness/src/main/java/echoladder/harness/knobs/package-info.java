/** sysctl/knobs.yaml: every knob that may matter to connections, one row each. */
@NullMarked
package echoladder.harness.knobs;

import org.jspecify.annotations.NullMarked;
