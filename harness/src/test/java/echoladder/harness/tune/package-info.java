@NullMarked
package echoladder.harness.tune;

import org.jspecify.annotations.NullMarked;
