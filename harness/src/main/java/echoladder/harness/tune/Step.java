package echoladder.harness.tune;

/** The places between which a crash leaves different traces. */
enum Step {
  BEFORE_JOURNAL,
  BEFORE_CHANGE,
  AFTER_CHANGE,
  BEFORE_UNDO,
  BEFORE_PUT_BACK,
  BEFORE_FORGET;

  /** Told of each place as it is reached; tests end the process there. */
  @FunctionalInterface
  interface Listener {
    void at(Step step, String key);
  }
}
