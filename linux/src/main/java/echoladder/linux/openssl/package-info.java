/** OpenSSL 3 of the host: its functions, for TLS of clients and servers here. */
@NullMarked
package echoladder.linux.openssl;

import org.jspecify.annotations.NullMarked;
