package echoladder.openloop.loop;

import echoladder.openloop.schedule.Pacer;

/**
 * What comes due in one event loop, each by its own reckoning. Taken apart as {@link LoopConnections} is.
 *
 * @param pacer the messages of the load
 * @param ramp the first connect of each connection
 * @param rollCall one more echo of each connection, at the end
 * @param reconnector ends by churn, and connects in the place of what ended
 */
record LoopSchedule(Pacer pacer, Ramp ramp, RollCall rollCall, Reconnector reconnector) {}
