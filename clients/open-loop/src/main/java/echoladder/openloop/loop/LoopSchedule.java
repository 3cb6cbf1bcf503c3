package echoladder.openloop.loop;

import echoladder.openloop.schedule.Agenda;

/**
 * What comes due in one event loop, each by its own reckoning. Taken apart as {@link LoopConnections} is.
 *
 * @param agenda the messages of the load
 * @param ramp the first connect of each connection
 * @param rollCall one more echo of each connection, at the end
 * @param reopening ends by churn, and connects in the place of what ended
 */
record LoopSchedule(Agenda agenda, Ramp ramp, RollCall rollCall, Reopening reopening) {}
