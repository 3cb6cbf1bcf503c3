/**
 * One suite, run against every server.yaml as real processes: what a server must do to be measured here. The contract
 * in words is servers/README.md.
 */
@NullMarked
package echoladder.servers.contract;

import org.jspecify.annotations.NullMarked;
