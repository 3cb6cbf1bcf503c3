package echoladder.servers.contract.push;

import static echoladder.servers.contract.push.PushPeer.MESSAGE;
import static echoladder.servers.contract.push.PushPeer.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.servers.contract.NeverReads;
import echoladder.servers.contract.OutOfDescriptors;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.push.PushPeer.Frame;
import echoladder.servers.contract.push.PushPeer.Reading;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a push server begins and ends, and what it does when its descriptors do. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class PushLifecycleIT {
  private static final int BODY_BYTES = 16 << 10;
  private static final int SMALL_BUFFER_BYTES = 4 << 10;

  /** Much more than a test needs on any machine. */
  private static final Duration LONG_DRAIN = Duration.ofSeconds(40);

  /** Some servers give half of it to a publisher that goes on. */
  private static final Duration SHORT_DRAIN = Duration.ofSeconds(6);

  private static final int QUEUE_BYTES = 8 << 20;

  /** Subscribers who are there before descriptors are short. */
  private static final int HELD = 8;

  /** Messages published once descriptors are free again. */
  private static final int MORE = 50;

  private static Stream<Variant> roomy() {
    return roomy(PushServer.all());
  }

  private static Stream<Variant> roomyOverWebSocket() {
    return roomy(PushServer.overWebSocket());
  }

  private static Stream<Variant> roomyByFrames() {
    return roomy(PushServer.byFrames());
  }

  private static Stream<Variant> roomy(Stream<Variant> servers) {
    return servers.map(variant -> PushServer.with(variant, Map.of("push-queue-bytes", "" + QUEUE_BYTES)));
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.push.PushServer#defaults")
  void saysThatItPushesAndHasEverySeriesFromTheStart(Variant variant) throws Exception {
    Map<String, String> options = Map.of("slow-reader", "drop-oldest", "push-queue-bytes", "2048");
    try (PushServer server = PushServer.start(PushServer.with(variant, options))) {
      Map<String, String> expected = Map.of("traffic", "push", "slow_reader", "drop-oldest", "push_queue_bytes", "2048");
      expected.forEach(
          (name, value) -> assertThat(String.valueOf(server.running().ready().config().get(name))).as(name).isEqualTo(value));
      for (String series : PushServer.SERIES) {
        assertThat(server.count(series)).as(series).isZero();
      }
    }
  }

  /** Publishes until one MiB waits for who does not read; gives how many. */
  private static int fill(PushServer server, PushPeer publisher) throws IOException {
    long most = NeverReads.kernelBytes(SMALL_BUFFER_BYTES, QUEUE_BYTES) / BODY_BYTES;
    int published = 0;
    while (published % 20 != 0 || server.count(PushServer.QUEUED) < 1 << 20) {
      assertThat(publisher.publish(0, body(published, BODY_BYTES))).isEqualTo(1);
      assertThat((long) ++published).as("%s: publishes until one MiB waits", server.running()).isLessThan(most);
    }
    return published;
  }

  private static void isWhole(List<Frame> got, int published) {
    assertThat(got).allMatch(f -> f.is(MESSAGE));
    assertThat(got.stream().map(Frame::number)).isEqualTo(LongStream.range(0, published).boxed().toList());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("roomy")
  void deliversWhatIsQueuedWhenTerminated(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant, LONG_DRAIN);
        PushPeer slow = server.connect(SMALL_BUFFER_BYTES).subscribe(0);
        PushPeer idle = server.connect().subscribe(1);
        PushPeer publisher = server.connect()) {
      int published = fill(server, publisher);
      server.running().process().terminate();
      // The others end while it has yet to be read.
      publisher.expectEnd();
      idle.expectEnd();
      isWhole(slow.reading().awaitEnd(), published);
      assertThat(server.running().exitStatus()).as("%s", server.running()).isZero();
    }
  }

  /** Publishes until its connection ends, on a thread of its own; gives how many messages their one subscriber took. */
  private static CompletableFuture<Long> publishing(PushPeer publisher) {
    CompletableFuture<Long> taken = new CompletableFuture<>();
    Thread.ofVirtual().start(
        () -> {
          long took = 0;
          try {
            for (long number = 0; ; number++) {
              took += publisher.publish(0, body(number));
            }
          } catch (IOException e) {
            taken.complete(took);
          } catch (RuntimeException | AssertionError e) {
            taken.completeExceptionally(e);
          }
        });
    return taken;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("roomy")
  void aSubscriberHasAllAndItsEndBesideAPublisherThatGoesOn(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant, SHORT_DRAIN)) {
      CompletableFuture<Long> taken;
      long messages = 1;
      try (PushPeer subscriber = server.connect().subscribe(0);
          PushPeer publisher = server.connect()) {
        taken = publishing(publisher);
        subscriber.expectMessage(0, body(0));
        server.running().process().terminate();
        String end = "";
        while (end.isEmpty()) {
          try {
            assertThat(subscriber.next().number()).as("%s: no gap", server.running()).isEqualTo(messages);
            messages++;
          } catch (EOFException e) {
            end = String.valueOf(e.getMessage());
          }
        }
        assertThat(end).as("%s: how its subscriber is ended", server.running()).isEqualTo(subscriber.wholeEnd());
      }
      assertThat(messages).as("%s: messages that came, of those that it says were taken", server.running()).isGreaterThanOrEqualTo(taken.join());
      assertThat(server.running().exitStatus()).as("%s", server.running()).isZero();
    }
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("roomyByFrames")
  void deliversWhatIsQueuedBehindAFin(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant);
        PushPeer slow = server.connect(SMALL_BUFFER_BYTES).subscribe(0);
        PushPeer publisher = server.connect()) {
      int published = fill(server, publisher);
      slow.fin();
      isWhole(slow.reading().awaitEnd(), published);
      assertThat(publisher.publish(0, body(published))).as("it is no subscriber any more").isZero();
      server.awaitQuiet();
    }
  }

  /** As behind a FIN, and the close frame's answer behind that. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("roomyOverWebSocket")
  void deliversWhatIsQueuedBehindACloseFrame(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant);
        SocketPeer slow = (SocketPeer) server.connect(SMALL_BUFFER_BYTES).subscribe(0);
        SocketPeer publisher = (SocketPeer) server.connect()) {
      int published = fill(server, publisher);
      slow.sayEnd();
      publisher.say(PushPeer.frame(PushPeer.PUBLISH, 1, body(published)));
      publisher.sayEnd();
      assertThat(publisher.expectPublished(1)).as("nobody has topic 1").isZero();
      for (int i = 0; i < published; i++) {
        slow.expectMessage(0, body(i, BODY_BYTES));
      }
      for (SocketPeer each : List.of(slow, publisher)) {
        assertThatThrownBy(each::next).isInstanceOf(EOFException.class).hasMessageEndingWith("of " + SocketPeer.CLOSED_BY_TEST);
        assertThat(each.untilClosed()).isEmpty();
      }
      server.awaitQuiet();
    }
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("roomy")
  void givesUpOnWhoNeverReads(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant, Duration.ofSeconds(1));
        PushPeer deaf = server.connect(SMALL_BUFFER_BYTES).subscribe(0);
        PushPeer publisher = server.connect()) {
      assertThat(fill(server, publisher)).isPositive();
      server.running().process().terminate();
      assertThat(server.running().exitStatus()).as("%s: exit status with a subscriber that never reads", server.running()).isZero();
      deaf.reset();
    }
  }

  /** Messages with the numbers from 0 on. */
  private static final class Published {
    private final PushPeer publisher;
    private int count;

    Published(PushPeer publisher) {
      this.publisher = publisher;
    }

    /** Publishes so many more, each of which so many connections have to take. */
    void more(int messages, int takers) throws IOException {
      for (int i = 0; i < messages; i++) {
        assertThat(publisher.publish(0, body(count))).as("connections that took message %d", count).isEqualTo(takers);
        count++;
      }
    }
  }

  private static void hasAllFrom(int first, Reading reading, Published published) throws InterruptedException {
    List<Frame> got = reading.await(MESSAGE, published.count - first);
    assertThat(got.stream().map(Frame::number)).isEqualTo(LongStream.range(first, published.count).boxed().toList());
  }

  /** Who comes then is not served before others have gone, and keeps nobody from a message. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.push.PushServer#all")
  void whoHasSubscribedMissesNothingWhileDescriptorsAreShort(Variant variant) throws Exception {
    try (PushServer server = PushServer.withFewDescriptors(variant);
        PushPeer publisher = server.connect()) {
      RunningServer running = server.running();
      List<PushPeer> held = server.subscribers(HELD, 0);
      List<Reading> readings = held.stream().map(PushPeer::reading).toList();
      Published published = new Published(publisher);
      List<PushPeer> crowd = new ArrayList<>();
      for (int i = 0; i < OutOfDescriptors.CLIENTS; i++) {
        PushPeer one = server.begin(0);
        one.ask(1);
        crowd.add(one);
        published.more(1, HELD);
      }
      PushPeer late = server.begin(0);
      late.ask(0);
      awaitErrorBeyond(0, running, published);
      awaitErrorBeyond(running.metric(OutOfDescriptors.ERRORS), running, published);
      PushServer.closeAll(crowd);
      late.had(0);
      int lateFrom = published.count;
      Reading lateReading = late.reading();
      published.more(MORE, HELD + 1);
      PushPeer last = server.connect().subscribe(0);
      published.more(1, HELD + 2);
      last.expectMessage(0, body(published.count - 1));
      for (Reading each : readings) {
        hasAllFrom(0, each, published);
      }
      hasAllFrom(lateFrom, lateReading, published);
      PushServer.closeAll(held);
      late.close();
      last.close();
      server.awaitQuiet();
    }
  }

  /** Publishes on until another accept has failed. */
  private static void awaitErrorBeyond(double errors, RunningServer running, Published published) {
    running.await("an accept that fails").until(
        () -> {
          published.more(1, HELD);
          return running.metric(OutOfDescriptors.ERRORS) > errors;
        });
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.push.PushServer#overTcp")
  void goesOnWhenDescriptorsAreFreeAgain(Variant variant) throws Exception {
    int half = OutOfDescriptors.CLIENTS / 2;
    try (RunningServer server = OutOfDescriptors.start(variant)) {
      // The kernel completes their handshakes; the server cannot accept all of them.
      List<PushPeer> peers = new ArrayList<>();
      for (int i = 0; i < OutOfDescriptors.CLIENTS; i++) {
        peers.add(new PushPeer(server.address(), 0));
      }
      OutOfDescriptors.awaitErrors(server);
      // Accepted ones are served as ever; the kernel hands out its queue in order.
      for (PushPeer peer : peers.subList(1, 50)) {
        peer.subscribe(0);
      }
      assertThat(peers.getFirst().publish(0, body(1))).isEqualTo(49);
      for (PushPeer peer : peers.subList(1, 50)) {
        peer.expectMessage(0, body(1));
      }
      OutOfDescriptors.restsWhileItWaits(server);
      PushServer.closeAll(peers.subList(0, half));
      List<PushPeer> rest = peers.subList(half, peers.size());
      for (PushPeer peer : rest) {
        peer.subscribe(3);
      }
      server.awaitOpen(half);
      rest.getFirst().leave(3);
      assertThat(rest.getFirst().publish(3, body(2))).isEqualTo(rest.size() - 1);
      for (PushPeer peer : rest.subList(1, rest.size())) {
        peer.expectMessage(3, body(2));
      }
      PushServer.closeAll(rest);
      server.awaitOpen(0);
    }
  }
}
