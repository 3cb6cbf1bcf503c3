/** The processors of this host: lists of them, cores and nodes, who is to run on which, and how they idle. */
@NullMarked
package echoladder.linux.cpu;

import org.jspecify.annotations.NullMarked;
