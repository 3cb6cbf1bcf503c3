package echoladder.harness.probe;

import java.util.OptionalLong;

/** Tells how quick some processors are over a stretch of time, by a fixed piece of work. */
public interface WorkMeter extends AutoCloseable {
  /** The stretch begins. */
  void begin();

  /** The stretch ends: CPU time of one piece in it, in ns; empty where it was too short or nobody can tell. Later calls say the same. */
  OptionalLong endNs();

  @Override
  void close();
}
