/** Echo servers that misbehave in known ways and record what they did: what the client is proven against. */
@NullMarked
package echoladder.openloop.testserver;

import org.jspecify.annotations.NullMarked;
