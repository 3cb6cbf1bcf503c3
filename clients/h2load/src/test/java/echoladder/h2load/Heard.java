package echoladder.h2load;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.Progress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps what a client tells, and does something at each phase. */
final class Heard implements LoadListener {
  final List<Phase> phases = new CopyOnWriteArrayList<>();
  private final Consumer<Phase> atPhase;

  Heard() {
    this(phase -> {});
  }

  Heard(Consumer<Phase> atPhase) {
    this.atPhase = atPhase;
  }

  @Override
  public void phase(Phase phase, long monotonicNs) {
    phases.add(phase);
    atPhase.accept(phase);
  }

  @Override
  public void progress(Progress seen) {}
}
