/** Hosts for tests: network namespaces that are reached by ssh. */
@NullMarked
package echoladder.hosts;

import org.jspecify.annotations.NullMarked;
