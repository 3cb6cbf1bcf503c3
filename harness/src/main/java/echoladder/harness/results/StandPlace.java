package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A rung's place in its stand: the rungs that one server process has one after the other, each at a rate of its own.
 *
 * @param place in the order of the stand, from 1
 * @param driftCheck whether it is the first rung's load once more, at the end: it shows what the stand itself changed, and is
 *     never pooled with the others
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record StandPlace(int place, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean driftCheck) {}
