/** What processes print: it is read within bounds, and written to terminals and files. */
@NullMarked
package echoladder.linux.output;

import org.jspecify.annotations.NullMarked;
