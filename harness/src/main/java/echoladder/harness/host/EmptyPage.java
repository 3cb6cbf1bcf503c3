package echoladder.harness.host;

import echoladder.client.page.MetricsPage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits until a server that had a rung before has none of its connections left. */
public final class EmptyPage {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final long LOOK_MS = 200;
  private static final String OPEN = "echo_connections_open";

  private EmptyPage() {}

  /**
   * Waits until the page counts no open connection, 10 s at most.
   *
   * @return the page as it was looked at last
   * @throws IOException where the page cannot be had
   */
  public static MetricsPage await(URI metrics, BooleanSupplier stop) throws IOException, InterruptedException {
    long end = System.nanoTime() + BOUND.toNanos();
    MetricsPage page = MetricsPage.fetch(metrics);
    while (!empty(page) && System.nanoTime() < end && !stop.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      page = MetricsPage.fetch(metrics);
    }
    return page;
  }

  /**
   * Whether a page counts no open connection.
   *
   * @throws IOException where its count cannot be read
   */
  public static boolean empty(MetricsPage page) throws IOException {
    return open(page) <= 0;
  }

  /**
   * The open connections that a page counts; 0 where it counts none.
   *
   * @throws IOException where its count cannot be read
   */
  public static int open(MetricsPage page) throws IOException {
    return (int) page.sum(OPEN).orElse(0);
  }
}
