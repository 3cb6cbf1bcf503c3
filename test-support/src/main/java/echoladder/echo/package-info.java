/** Servers that fail their peers in a chosen way, for the tests of load tools. */
@NullMarked
package echoladder.echo;

import org.jspecify.annotations.NullMarked;
