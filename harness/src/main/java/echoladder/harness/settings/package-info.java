/** Settings of a server's entry in a study: where they may be made, making them and putting back what was there. */
@NullMarked
package echoladder.harness.settings;

import org.jspecify.annotations.NullMarked;
