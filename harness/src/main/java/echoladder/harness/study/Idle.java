package echoladder.harness.study;

/** What a study's {@code load.idle} can say of processors that have nothing to do. */
public enum Idle {
  /** As the host is set: they sleep in one of its idle states, and a guest's leave the processor to the hypervisor. */
  HALT,
  /** They poll in the kernel, which counts as idle: what wakes is not late because a processor slept. */
  POLL,
  /** {@link #POLL} where this process may ask for it, else {@link #HALT}; a run's record has the one that it was. */
  POLL_IF_ALLOWED
}
