/** Blocking echo, one virtual thread per connection. */
@NullMarked
package echoladder.servers.virtualthreads;

import org.jspecify.annotations.NullMarked;
