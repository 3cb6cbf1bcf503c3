/** The load tools that a study can name, and how their clients are made. */
@NullMarked
package echoladder.harness.client;

import org.jspecify.annotations.NullMarked;
