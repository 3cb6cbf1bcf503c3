package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {
  private final OpenConnections connections = new OpenConnections();

  private static final class Plain extends OpenConnections.Connection {
    @Override
    public void run() {}

    @Override
    boolean nothingToRead() {
      return true;
    }

    @Override
    void finish() {}
  }

  @Test
  void holdsWhatWasAddedAndNotRemovedInWhateverOrder() throws InterruptedException {
    Random random = new Random(1);
    List<OpenConnections.Connection> expected = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      if (expected.isEmpty() || random.nextInt(5) > 1) {
        Plain one = new Plain();
        connections.add(one);
        expected.add(one);
      } else {
        connections.remove(expected.remove(random.nextInt(expected.size())));
      }
      if (i % 100 == 0) {
        assertThat(connections.snapshot()).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
    assertThat(connections.awaitNone(System.nanoTime())).isEqualTo(expected.size());
    expected.forEach(connections::remove);
    assertThat(connections.snapshot()).isEmpty();
    assertThat(connections.awaitNone(System.nanoTime())).isZero();
  }

  @Test
  void wakesWhoWaitsForTheLast() throws InterruptedException {
    Plain one = new Plain();
    connections.add(one);
    Thread.ofVirtual().start(() -> connections.remove(one));
    assertThat(connections.awaitNone(System.nanoTime() + 60_000_000_000L)).isZero();
  }
}
