package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All that watches a rung is told in the order of its rows, ended in the other order, and ended where the next cannot be made. */
class ObserversTest {
  private final List<String> said = new ArrayList<>();

  /** Says what it is told. */
  private final class Saying implements RungObserver {
    private final String name;
    private final boolean endedServer;

    Saying(String name, boolean endedServer) {
      this.name = name;
      this.endedServer = endedServer;
    }

    @Override
    public void leaving(Phase next) {
      said.add(name + " before " + next);
    }

    @Override
    public void entered(Phase now, long monotonicNs) {
      said.add(name + " in " + now);
    }

    @Override
    public boolean endedServer() {
      return endedServer;
    }

    @Override
    public void close() {
      said.add(name + " closed");
    }
  }

  private static Observers of(Observers.Maker... makers) throws IOException {
    return Observers.made(List.of(makers));
  }

  @Test
  void allAreToldInOrderAndClosedInTheOther() throws IOException {
    try (Observers all = of(() -> new Saying("a", false), () -> null, () -> new Saying("b", false))) {
      all.leaving(Phase.STEADY);
      all.entered(Phase.STEADY, 1);
      assertThat(all.endedServer()).isFalse();
    }
    assertThat(said).containsExactly("a before STEADY", "b before STEADY", "a in STEADY", "b in STEADY", "b closed", "a closed");
  }

  @Test
  void whereOneCannotBeMadeThoseBeforeItAreClosed() {
    assertThatThrownBy(
            () ->
                of(
                    () -> new Saying("a", false),
                    () -> {
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no");
    assertThat(said).containsExactly("a closed");
  }

  @Test
  void oneOfThemMayHaveEndedTheServer() throws IOException {
    try (Observers all = of(() -> new Saying("watch", false), () -> new Saying("storm", true))) {
      assertThat(all.endedServer()).isTrue();
    }
  }
}
