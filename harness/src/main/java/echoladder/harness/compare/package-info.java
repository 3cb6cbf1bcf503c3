/** Two runs side by side: what differs around them first, then their figures. */
@NullMarked
package echoladder.harness.compare;

import org.jspecify.annotations.NullMarked;
