package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connection ends for having kept the page waiting. */
class PageWaitsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final PageWaits waits = new PageWaits(3, Duration.ofMillis(10));
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private Thread watch = new Thread();

  @BeforeEach
  void begin() {
    watch = Thread.ofPlatform().daemon().start(waits::watch);
  }

  @AfterEach
  void end() {
    watch.interrupt();
  }

  private PageWaits.Place take(String name, Duration bound) {
    return waits.take(() -> ended.add(name), bound);
  }

  private void awaitEnded(String... names) {
    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(ended).containsExactly(names));
  }

  @Test
  void oneBeyondItsBound() {
    take("patient", LONG);
    take("late", Duration.ofMillis(1));
    awaitEnded("late");
  }

  @Test
  void theLongestWhereEveryPlaceIsTaken() {
    PageWaits.Place again = take("asks again", LONG);
    take("waits longest", LONG);
    again.waits(LONG);
    take("last", LONG);
    awaitEnded("waits longest");
  }

  @Test
  void noneThatIsServedOrHasLeft() {
    take("left", LONG).close();
    take("served", LONG).works();
    take("served too", LONG).works();
    take("waits", LONG);
    awaitEnded("waits");
  }
}
