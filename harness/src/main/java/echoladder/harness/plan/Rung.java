package echoladder.harness.plan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One server at one connection count.
 *
 * @param label of the server in the study
 * @param connections to hold
 * @param ratePerS offered over all of them
 * @param likely how long it should take, start and stop included
 * @param most how long it may take before its bounds end it
 * @param outOfReach why this host cannot carry it, null where it should
 */
public record Rung(
    String label, int connections, double ratePerS, Duration likely, Duration most, @Nullable String outOfReach) {}
