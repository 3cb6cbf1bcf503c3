/** What a WebSocket server of Echo Ladder has to do, against every server.yaml with {@code protocol: websocket}. */
@NullMarked
package echoladder.servers.contract.websocket;

import org.jspecify.annotations.NullMarked;
