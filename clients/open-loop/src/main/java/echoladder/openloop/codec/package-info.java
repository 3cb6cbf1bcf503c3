/** What is spoken on a connection: TCP, HTTP/1.1 and WebSocket, as bytes to send and as answers to check. */
@NullMarked
package echoladder.openloop.codec;

import org.jspecify.annotations.NullMarked;
