/** Tests of how a study's clients are named and made. */
@NullMarked
package echoladder.harness.client;

import org.jspecify.annotations.NullMarked;
