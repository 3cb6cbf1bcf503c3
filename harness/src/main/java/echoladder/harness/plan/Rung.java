package echoladder.harness.plan;

import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.StandPlace;
import echoladder.harness.study.Profile;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One server at one connection count and rate, once.
 *
 * @param key what tells it from the others of its run
 * @param ratePerS offered over all of its connections
 * @param stand its place in its stand; null where its server has one rate at that connection count
 * @param length how many times the study's steady state it lasts: 1, but for the try that confirms a capacity
 * @param likely how long it should take, with what of the server's start and stop falls on it
 * @param most how long it may take before its bounds end it
 * @param profile what a profiler looks at meanwhile, so that it is an extra repeat; null = there is none
 */
public record Rung(
    RungKey key, double ratePerS, @Nullable StandPlace stand, int length, Duration likely, Duration most, Obstacles obstacles,
    Profile.@Nullable Kind profile) {
  /** A rung that lasts as long as the study says. */
  public Rung(
      RungKey key, double ratePerS, @Nullable StandPlace stand, Duration likely, Duration most, Obstacles obstacles) {
    this(key, ratePerS, stand, 1, likely, most, obstacles, null);
  }

  /** The server's label in the study. */
  public String label() {
    return key.server();
  }

  /** To hold. */
  public int connections() {
    return key.connections();
  }

  /** Which of the study's repeats, from 1. */
  public int repeat() {
    return key.repeat();
  }

  /** This rung in its record. */
  public RungRecord.Planned planned() {
    return new RungRecord.Planned(label(), connections(), repeat(), ratePerS, stand);
  }

  /** Whether that is its record. */
  public boolean isOf(RungRecord record) {
    return key.equals(record.key());
  }

  /** Whether both are of one repeat at one connection count, whatever their servers. */
  public boolean inOneRoundWith(Rung other) {
    return connections() == other.connections() && repeat() == other.repeat();
  }

  /** The server process that it has with all rates of its repeat; null where its server has no other rate at that connection count. */
  public @Nullable SharedServer shared() {
    return stand == null ? null : new SharedServer(label(), connections(), repeat());
  }

  /** Whether one server process has both, one after the other. */
  public boolean inOneStandWith(Rung other) {
    SharedServer own = shared();
    return own != null && own.equals(other.shared());
  }

  /** Whether it will be tried. */
  public boolean attempted() {
    return obstacles.none();
  }

  /**
   * What rungs have in common that share a server process.
   *
   * @param server its label in the study
   * @param repeat of the study; 0 = whichever
   */
  public record SharedServer(String server, int connections, int repeat) {}
}
