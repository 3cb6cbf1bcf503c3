package echoladder.openloop.loop;

import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;

/**
 * The connections of one event loop, what is under way on them, and by what it is carried. Whoever works on them takes the parts into
 * fields of its own when it is made: per message nothing is looked up here.
 *
 * @param plan the loop's part of the load
 * @param sys calls of the loop's thread
 * @param clock of the loop's turns
 * @param conns state of each connection
 * @param messages that wait or are in flight
 * @param codec how messages become bytes of a connection and bytes become answers
 * @param wire how bytes go onto a socket and come off it
 */
record LoopConnections(
    LoopPlan plan, SystemCalls sys, LoopClock clock, Connections conns, Messages messages, Codec codec, Wire wire) {}
