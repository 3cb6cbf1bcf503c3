/** What a client says while it loads, for Prometheus. */
@NullMarked
package echoladder.loadmetrics;

import org.jspecify.annotations.NullMarked;
