@NullMarked
package echoladder.harness.minimal;

import org.jspecify.annotations.NullMarked;
