@NullMarked
package echoladder.harness.explain;

import org.jspecify.annotations.NullMarked;
