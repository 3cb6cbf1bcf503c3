package echoladder.harness.study;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A study with it searches, for each server and connection count, the highest rate that is held; the load's rate is where each
 * search begins.
 *
 * @param mostPerS no rate above it is tried, messages per second over all connections
 * @param resolution the width of the answer that is aimed at, as a share of the rate that was held
 * @param tries most tries of one search
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Capacity(double mostPerS, double resolution, int tries) {}
