/** TLS of the client's connections, by OpenSSL. */
@NullMarked
package echoladder.openloop.tls;

import org.jspecify.annotations.NullMarked;
