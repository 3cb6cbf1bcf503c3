@NullMarked
package echoladder.harness.runbooks;

import org.jspecify.annotations.NullMarked;
