/** WebSocket (RFC 6455) without sockets: the upgrade, the heads of frames in pieces of any size, masks; and one connection by hand. */
@NullMarked
package echoladder.client.websocket;

import org.jspecify.annotations.NullMarked;
