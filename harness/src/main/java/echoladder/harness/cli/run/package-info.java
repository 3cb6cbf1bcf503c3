/** The verbs run, plan and lab, with their options: how a run begins, climbs, ends by a signal and is gone on with. */
@NullMarked
package echoladder.harness.cli.run;

import org.jspecify.annotations.NullMarked;
