/** Quick starts for the JVMs that tests start by the hundred. */
@NullMarked
package echoladder.jvm;

import org.jspecify.annotations.NullMarked;
