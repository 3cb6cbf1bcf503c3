/** Processes: how they start and end, who belongs to whom, what each uses, may use and listens at; and what the kernel has logged. */
@NullMarked
package echoladder.linux.process;

import org.jspecify.annotations.NullMarked;
