package echoladder.harness.stats;

import org.jspecify.annotations.Nullable;

/** What the ratio of one to another shows. */
public enum Finding {
  /** The interval lies below 1. */
  LESS,
  /** The interval lies above 1. */
  MORE,
  /** 1 lies within the interval: these repeats show no difference, which does not say that there is none. */
  NO_DIFFERENCE_SHOWN,
  /** Too few repeats for an interval: nothing is said. */
  TOO_FEW;

  static Finding of(@Nullable Interval interval) {
    if (interval == null) {
      return TOO_FEW;
    }
    if (interval.high() < 1) {
      return LESS;
    }
    return interval.low() > 1 ? MORE : NO_DIFFERENCE_SHOWN;
  }
}
