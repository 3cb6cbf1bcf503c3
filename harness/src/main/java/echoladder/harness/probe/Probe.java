package echoladder.harness.probe;

/** Reads one subject. Called by one thread at a time; what cannot be read is left out. */
public interface Probe {
  /** Adds what it can read now. */
  void sample(Reading into);
}
