/** Echo and push on Micronaut, over HTTP and WebSocket. */
@NullMarked
package echoladder.servers.micronauthttp;

import org.jspecify.annotations.NullMarked;
