package echoladder.harness.engine;

import echoladder.client.page.MetricsPage;
import echoladder.harness.host.EmptyPage;
import echoladder.harness.metric.CutReading;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Readings;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.StartedServer;
import echoladder.harness.settings.NetworkLink;
import echoladder.harness.study.Network;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A link that is cut with connections on it, as by a host that loses its power: neither FIN nor RST reaches the server. It is cut once the
 * load is over and its connections are gone. As many others come, have an echo each, and are cut off. Then the server's page, which is
 * read over another cable, is looked at until it counts none of them. One thread, that of the rung.
 */
final class LinkCut implements RungObserver {
  private static final String RECEIVED = "echo_received_bytes_total";
  private static final long LOOK_MS = 250;

  /** How long the server may take to read what reached it before the second half of the cut. */
  private static final long READ_NS = TimeUnit.SECONDS.toNanos(30);

  private final Subject subject;
  private final StartedServer server;
  private final NetworkLink link;
  private final Network.Cut how;
  private final long mostNs;

  private LinkCut(Subject subject, StartedServer server, NetworkLink link, Network.Cut how, long mostNs) {
    this.subject = subject;
    this.server = server;
    this.link = link;
    this.how = how;
    this.mostNs = mostNs;
  }

  /** Where the study asks for it. */
  static @Nullable LinkCut asked(Subject subject) {
    Network network = subject.stand().contender().entry().settings().network();
    Network.Cut how = network == null ? null : network.cut();
    Long mostNs = network == null ? null : network.cutMostNs();
    if (how == null || mostNs == null || !(subject.server() instanceof StartedServer server)) {
      return null;
    }
    NetworkLink link = Objects.requireNonNull(server.link(), "a server of an entry with a network has its link");
    return new LinkCut(subject, server, link, how, mostNs);
  }

  /** The load is over: cuts the link, watches, and makes it whole again. */
  @Override
  public void close() {
    RunContext context = subject.context();
    if (context.stop().requested()) {
      return;
    }
    context.display().step(subject.rung(), "link cut");
    try {
      subject.borders().cut = cut(context.stop()::requested);
    } catch (IOException e) {
      context.display().note(subject.rung().label() + ": what becomes of connections on a cut link was not seen: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was seen; null where the run was stopped meanwhile. */
  private @Nullable CutReading cut(BooleanSupplier stop) throws IOException, InterruptedException {
    URI page = server.metrics();
    boolean empty = EmptyPage.empty(EmptyPage.await(page, stop));
    if (stop.getAsBoolean()) {
      return null;
    }
    if (!empty) {
      throw new IOException("connections of the load were still open at the server");
    }
    Readings readings = server.readings();
    Reading before = readings.take(Readings.Depth.BORDER);
    int connections = subject.rung().connections();
    Peers peers = Peers.come(server.target(), connections, stop);
    if (peers == null) {
      return null;
    }
    try (peers;
        Closeable _ = link::heal) {
      if (how == Network.Cut.OWED) {
        owe(peers, page, stop);
      }
      link.cut();
      long cutNs = System.nanoTime();
      return watched(page, stop, cutNs, connections, before, readings.take(Readings.Depth.BORDER));
    }
  }

  /** Has the server answer each of them, and the answers lost. */
  private void owe(Peers peers, URI page, BooleanSupplier stop) throws IOException, InterruptedException {
    double due = received(page) + peers.askedBytes();
    link.cutFromServer();
    peers.ask();
    long endNs = System.nanoTime() + READ_NS;
    double now = received(page);
    while (now < due && System.nanoTime() < endNs && !stop.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS / 5);
      now = received(page);
    }
    if (now < due && !stop.getAsBoolean()) {
      throw new IOException("of what was sent before the cut, the server had not read %,.0f bytes after %d s"
          .formatted(due - now, TimeUnit.NANOSECONDS.toSeconds(READ_NS)));
    }
  }

  private static double received(URI page) throws IOException {
    return MetricsPage.fetch(page).sum(RECEIVED).orElse(0);
  }

  private @Nullable CutReading watched(URI page, BooleanSupplier stop, long cutNs, int connections, Reading before, Reading held)
      throws IOException, InterruptedException {
    Double first = null;
    Double last = null;
    int open = connections;
    while (last == null && System.nanoTime() - cutNs < mostNs) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      if (stop.getAsBoolean()) {
        return null;
      }
      open = EmptyPage.open(MetricsPage.fetch(page));
      double seconds = (System.nanoTime() - cutNs) / 1e9;
      first = first == null && open < connections ? (Double) seconds : first;
      last = open == 0 ? (Double) seconds : null;
    }
    OptionalLong rss = held.get(Figure.SERVER_RSS_BYTES);
    OptionalLong objects = held.since(before, Figure.SOCKET_SLAB_BYTES);
    OptionalLong queues = held.since(before, Figure.TCP_BUFFERS_BYTES);
    return new CutReading(
        connections, connections - open, first, last, rss.isEmpty() ? null : (Long) rss.getAsLong(),
        objects.isEmpty() || queues.isEmpty() ? null : (Long) (objects.getAsLong() + queues.getAsLong()));
  }
}
