package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.client.page.MetricsPage;
import echoladder.client.page.NotThereException;
import echoladder.harness.host.EmptyPage;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.Attachment;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that somebody else started. It is neither started nor stopped; what is known of it is on its page.
 *
 * @param attachment where it is
 * @param identity what is wrong with who its page says it is; empty where nothing is
 */
record AttachedServer(Attachment attachment, String identity) implements RungServer {

  /** Connections of others that are borne: a health check, somebody who looks. */
  private static final double OTHERS_SHARE = 0.01;

  private static final int OTHERS = 2;

  /**
   * Looks at its page, and waits (10 s at most) until the connections of the rung before are gone from it.
   *
   * @param name of the server.yaml that the study names
   * @throws IOException where the page cannot be had
   */
  static AttachedServer begin(RunContext context, Attachment attachment, String name)
      throws IOException, InterruptedException {
    MetricsPage page = EmptyPage.await(attachment.metrics(), context.stop()::requested);
    return new AttachedServer(attachment, attachment.complaint(page, name));
  }

  /** Whoever started it may have loaded it. */
  @Override
  public boolean loadedBefore() {
    return true;
  }

  @Override
  public Target target() {
    return attachment.target();
  }

  @Override
  public URI metrics() {
    return attachment.metrics();
  }

  @Override
  public @Nullable LiveHeap liveHeap() throws IOException {
    try {
      return LiveHeap.afterGc(attachment.gc());
    } catch (NotThereException e) {
      return null;
    }
  }

  @Override
  public boolean empty(BooleanSupplier stop) throws IOException, InterruptedException {
    return EmptyPage.empty(EmptyPage.await(metrics(), stop));
  }

  @Override
  public @Nullable Long pid() {
    return null;
  }

  @Override
  public RungRecord.@Nullable Started started() {
    return null;
  }

  @Override
  public Readings readings() {
    return new LocalReadings(new Subject(null, attachment.metrics(), ChildPids::all));
  }

  @Override
  public void onEnd(Runnable action) {
    // Its end cannot be seen from here: connections are lost then, and the page is silent.
  }

  @Override
  public @Nullable String ending(boolean doubted) {
    return null;
  }

  @Override
  public List<String> mismatches(Loaded seen) {
    List<String> found = new ArrayList<>();
    if (!identity.isEmpty()) {
      found.add(identity);
    }
    if (!seen.restart().isEmpty()) {
      found.add("another process answered on the metrics page in the middle of the rung: " + seen.restart());
      return found;
    }
    Reading ready = seen.ready();
    Reading end = seen.steadyEnd();
    if (ready == null || end == null) {
      return found;
    }
    OptionalLong accepted = end.since(ready, Figure.ECHO_CONNECTIONS_ACCEPTED);
    if (accepted.isPresent() && accepted.getAsLong() < seen.established()) {
      found.add(
          String.format(
              Locale.ROOT,
              "the page counts %,d accepted connections since the rung began, and the client alone had %,d: it is not of "
                  + "the server at %s",
              accepted.getAsLong(), seen.established(), attachment.target()));
    }
    OptionalLong open = end.get(Figure.ECHO_CONNECTIONS_OPEN);
    if (open.isPresent() && open.getAsLong() - seen.established() > OTHERS + OTHERS_SHARE * seen.established()) {
      found.add(
          String.format(
              Locale.ROOT,
              "the page counts %,d open connections, %,d more than the client's: others load it too, and are in its CPU",
              open.getAsLong(), open.getAsLong() - seen.established()));
    }
    return found;
  }

  @Override
  public @Nullable String stop() {
    return null;
  }

  @Override
  public void close() {
    // Nothing was started.
  }
}
