package echoladder.openloop.loop;

import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.Recorders;

/**
 * Where one event loop puts what it sees. Taken apart as {@link LoopConnections} is.
 *
 * @param counters counts
 * @param recorders histograms of times
 * @param failures causes in words, of all loops
 * @param stats what the load's messages come to
 */
record LoopResults(Counters counters, Recorders recorders, Failures failures, MessageStats stats) {}
