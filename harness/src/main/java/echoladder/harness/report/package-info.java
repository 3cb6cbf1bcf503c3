/** From run.json to something a person reads; needs nothing else. */
@NullMarked
package echoladder.harness.report;

import org.jspecify.annotations.NullMarked;
