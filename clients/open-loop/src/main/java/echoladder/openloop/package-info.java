/**
 * The embedded open-loop load generator: its clients, as whoever drives a load calls them. The packages below it stand above one
 * another, from the top: command, run, shard, loop, then codec and staged, then result, schedule and connection.
 */
@NullMarked
package echoladder.openloop;

import org.jspecify.annotations.NullMarked;
