/** Blocking echo, one platform thread per connection. */
@NullMarked
package echoladder.servers.platformthreads;

import org.jspecify.annotations.NullMarked;
