/** What a server with {@code --tls on} has to do, against every server.yaml whose option {@code tls} has the value {@code on}. */
@NullMarked
package echoladder.servers.contract.tls;

import org.jspecify.annotations.NullMarked;
