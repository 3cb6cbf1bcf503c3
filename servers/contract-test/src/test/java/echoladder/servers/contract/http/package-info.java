/** What an HTTP server of Echo Ladder has to do, against every server.yaml with {@code protocol: http}. */
@NullMarked
package echoladder.servers.contract.http;

import org.jspecify.annotations.NullMarked;
