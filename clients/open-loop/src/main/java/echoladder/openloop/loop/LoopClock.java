package echoladder.openloop.loop;

/**
 * The clock of one event loop, in ns on the monotonic clock. In the kernel of a lab each look is a system call, which is as dear as
 * a connect, and no time from there may be quoted: there all that happens in one turn of the loop has one stamp. Belongs to that loop.
 */
final class LoopClock {
  private final boolean onePerTurn;
  private long turnNs;

  LoopClock(boolean onePerTurn) {
    this.onePerTurn = onePerTurn;
  }

  /** A turn begins. */
  long turn() {
    turnNs = System.nanoTime();
    return turnNs;
  }

  /** The loop has waited, so that the turn's stamp is old. */
  void waited() {
    if (onePerTurn) {
      turnNs = System.nanoTime();
    }
  }

  /** Now, or where that is too dear: when the turn began, or its wait ended. */
  long now() {
    return onePerTurn ? turnNs : System.nanoTime();
  }
}
