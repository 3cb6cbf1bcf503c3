/**
 * What a WebSocket server of Echo Ladder has to do, against every server.yaml with {@code protocol: websocket}. Some tests have a twin
 * for TCP and for HTTP: they ask for the same, but of messages, of bytes and of requests, whose clients differ. What does not differ is
 * shared: {@code Peer}, {@code NeverReads}, {@code OutOfDescriptors}, {@code RunningServer}.
 */
@NullMarked
package echoladder.servers.contract.websocket;

import org.jspecify.annotations.NullMarked;
