@NullMarked
package echoladder.harness.incident;

import org.jspecify.annotations.NullMarked;
