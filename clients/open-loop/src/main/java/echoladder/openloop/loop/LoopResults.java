package echoladder.openloop.loop;

import echoladder.openloop.result.Failures;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.Tally;

/**
 * Where one event loop puts what it sees. Taken apart as {@link LoopConnections} is.
 *
 * @param tally counts
 * @param recorders histograms of times
 * @param failures causes in words, of all loops
 * @param account what the load's messages come to
 */
record LoopResults(Tally tally, Recorders recorders, Failures failures, Account account) {}
