package echoladder.harness.study;

import org.jspecify.annotations.Nullable;

/** Leaves out of run.json what says nothing: Jackson asks it whether a value equals it. */
final class NothingSet {
  @Override
  public boolean equals(@Nullable Object other) {
    return other == null || EntrySettings.NONE.equals(other);
  }

  @Override
  public int hashCode() {
    return 0;
  }
}
