@NullMarked
package echoladder.harness.limits;

import org.jspecify.annotations.NullMarked;
