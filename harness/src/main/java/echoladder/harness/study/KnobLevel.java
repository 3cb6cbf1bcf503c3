package echoladder.harness.study;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What an entry of a study of knobs sets. Two entries with one knob of one server are a pair.
 *
 * @param server label of the server, or of the wall, that the entry is made from
 * @param name of the knob
 * @param level as in a label, e.g. {@code profile}
 * @param value in force
 * @param changed whether it is the level that the other of the pair is held against: what the knob does is this one's ratio to
 *     the other
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record KnobLevel(String server, String name, String level, String value, boolean changed) {
  /** The level without that knob, of the profile of all others. */
  public static final String LESS = "less";

  /** The label of the entry. */
  public String label() {
    return server + (server.equals(name) ? "" : "-" + name) + "-" + level;
  }

  /** Whether both are of one knob of one server. */
  public boolean pairs(KnobLevel other) {
    return server.equals(other.server) && name.equals(other.name);
  }
}
