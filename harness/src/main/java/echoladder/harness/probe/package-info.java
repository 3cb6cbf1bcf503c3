/** What is measured besides the client's own figures; one file each. */
@NullMarked
package echoladder.harness.probe;

import org.jspecify.annotations.NullMarked;
