/** {@code ladder soak}: servers under rough treatment for hours, and what grows of them. */
@NullMarked
package echoladder.harness.soak;

import org.jspecify.annotations.NullMarked;
