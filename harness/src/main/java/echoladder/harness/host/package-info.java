/** Other hosts of a run: what is started and read there over ssh, and the process there that does it. */
@NullMarked
package echoladder.harness.host;

import org.jspecify.annotations.NullMarked;
