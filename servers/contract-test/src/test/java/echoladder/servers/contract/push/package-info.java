/**
 * What a server with {@code --traffic push} has to do, against every server.yaml whose option {@code traffic} has the value {@code
 * push}.
 */
@NullMarked
package echoladder.servers.contract.push;

import org.jspecify.annotations.NullMarked;
