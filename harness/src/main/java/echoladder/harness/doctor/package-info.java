/** Whether this host can hold N connections: every limit, what is needed, what is there, and how to lift it. */
@NullMarked
package echoladder.harness.doctor;

import org.jspecify.annotations.NullMarked;
