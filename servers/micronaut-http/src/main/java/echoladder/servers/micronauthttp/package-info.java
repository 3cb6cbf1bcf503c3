/** HTTP echo on Micronaut. */
@NullMarked
package echoladder.servers.micronauthttp;

import org.jspecify.annotations.NullMarked;
