/** The verb tune, and the search of {@code tune minimal} for the settings that are needed. */
@NullMarked
package echoladder.harness.cli.tune;

import org.jspecify.annotations.NullMarked;
