/** The command line of {@code load}: its options, its text, and the lines it exchanges with another process. */
@NullMarked
package echoladder.openloop.command;

import org.jspecify.annotations.NullMarked;
