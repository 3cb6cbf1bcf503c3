package echoladder.servers.contract.push;

import static echoladder.servers.contract.push.PushPeer.LEAVE;
import static echoladder.servers.contract.push.PushPeer.MESSAGE;
import static echoladder.servers.contract.push.PushPeer.PUBLISH;
import static echoladder.servers.contract.push.PushPeer.SUBSCRIBE;
import static echoladder.servers.contract.push.PushPeer.body;
import static echoladder.servers.contract.push.PushPeer.frame;
import static echoladder.servers.contract.push.PushPeer.joined;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.websocket.Frames;
import echoladder.servers.contract.NeverReads;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Tested;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.push.PushPeer.Frame;
import echoladder.servers.contract.push.PushPeer.Reading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A subscriber that does not read costs bounded memory, meets the stated policy, and delays nobody. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class SlowReaderIT {
  private static final int QUEUE_BYTES = 256 << 10;
  private static final int BODY_BYTES = 16 << 10;
  private static final int SMALL_BUFFER_BYTES = 4 << 10;
  private static final int OTHERS = 3;
  private static final String RECEIVED = "echo_received_bytes_total";
  private static final String SENT = "echo_sent_bytes_total";

  /** How much more a server may hold, after a collection, for one client that does not read. */
  private static final long GROWTH_MAX = 32L << 20;

  /** How far the publisher may be ahead of those who read. */
  private static final int AHEAD = 8;

  private static Stream<Variant> all() {
    return small(PushServer.all());
  }

  private static Stream<Variant> overTcp() {
    return small(PushServer.overTcp());
  }

  private static Stream<Variant> overWebSocket() {
    return small(PushServer.overWebSocket());
  }

  private static Stream<Variant> small(Stream<Variant> servers) {
    return servers.map(variant -> PushServer.with(variant, Map.of("push-queue-bytes", "" + QUEUE_BYTES)));
  }

  /** What is in hand of the write beside the queue, as the contract has it. */
  private static long inHandBytes(PushServer server) {
    return (64L << 10) + server.messageBytes(BODY_BYTES);
  }

  private static Stream<Variant> publisherWrites() {
    return Tested.some(
        PushServer.all()
            .filter(variant -> variant.manifest().options().containsKey("push-writer"))
            .map(variant -> PushServer.with(variant, Map.of("push-writer", "publisher"))),
        "servers whose publisher can be told to write itself");
  }

  /** Publishes of which the last are beyond what the kernel and the queue can hold for one who does not read. */
  private static int publishesMax(PushServer server) throws IOException {
    long held = QUEUE_BYTES + inHandBytes(server);
    long bytes = NeverReads.kernelBytes(SMALL_BUFFER_BYTES, held) + 2 * held;
    return (int) (bytes / server.messageBytes(BODY_BYTES)) + 1;
  }

  /** One who does not read, some who do, and one who publishes. */
  private static final class Crowd implements AutoCloseable {
    private final PushServer server;
    private final PushPeer deaf;
    private final List<PushPeer> others;
    private final List<Reading> readings;
    private final PushPeer publisher;
    private long handed;
    private int published;
    private long queuedMax;

    Crowd(PushServer server) throws IOException {
      this.server = server;
      deaf = server.connect(SMALL_BUFFER_BYTES).subscribe(0);
      others = server.subscribers(OTHERS, 0);
      readings = others.stream().map(PushPeer::reading).toList();
      publisher = server.connect();
    }

    /** Publishes one; those who read have it soon after. Gives to how many it was handed. */
    int publish() throws IOException, InterruptedException {
      int count = publisher.publish(0, body(published, BODY_BYTES));
      handed += count;
      published++;
      for (Reading each : readings) {
        each.await(MESSAGE, published - AHEAD);
      }
      if (published % 50 == 0) {
        queuedMax = Math.max(queuedMax, server.count(PushServer.QUEUED));
      }
      return count;
    }

    void othersHaveAll() throws InterruptedException {
      for (Reading each : readings) {
        List<Frame> got = each.await(MESSAGE, published);
        assertThat(got.stream().map(Frame::number)).isEqualTo(LongStream.range(0, published).boxed().toList());
        assertThat(got).allMatch(f -> Arrays.equals(f.body(), body(f.number(), BODY_BYTES)));
      }
    }

    /** All that was handed over was written or dropped, and never more was held than the contract allows. */
    void addsUp() {
      server.running().await("counts").untilAsserted(
          () -> {
            assertThat(server.count(PushServer.QUEUED)).as("%s: queued", server.running()).isZero();
            assertThat(server.count(PushServer.MESSAGES) + server.count(PushServer.DROPPED))
                .as("%s: messages written and dropped, of those handed over", server.running()).isEqualTo(handed);
          });
      assertThat(server.count(PushServer.PUBLISHED)).isEqualTo(published);
      // The others read, and may still have a few messages on the way.
      assertThat(queuedMax)
          .as("%s: the most that was queued", server.running())
          .isLessThanOrEqualTo(QUEUE_BYTES + inHandBytes(server) + (long) OTHERS * AHEAD * server.messageBytes(BODY_BYTES));
    }

    /** Whoever was cut off has one message in part at most: each that the kernel took whole counts as written. */
    void countsWhatTheKernelTook() {
      long messageBytes = server.sentBytes(BODY_BYTES);
      long written = server.count(PushServer.MESSAGES) * messageBytes;
      long sent = server.count(SENT) - server.replyBytes(OTHERS + 1, published);
      assertThat(sent - written)
          .as("%s: bytes that the kernel took beyond those of the messages that count as written", server.running())
          .isBetween(0L, messageBytes - 1);
    }

    @Override
    public void close() throws IOException {
      leave();
    }

    void leave() throws IOException {
      deaf.close();
      PushServer.closeAll(others);
      publisher.close();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void disconnectEndsItAndTheOthersGetAll(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(PushServer.with(variant, Map.of("slow-reader", "disconnect")));
        Crowd crowd = new Crowd(server)) {
      int most = publishesMax(server);
      while (crowd.publish() == OTHERS + 1) {
        assertThat(crowd.published).as("%s: publishes to who does not read", server.running()).isLessThan(most);
      }
      for (int i = 0; i < 2 * AHEAD; i++) {
        assertThat(crowd.publish()).isEqualTo(OTHERS);
      }
      assertThat(server.count(PushServer.DISCONNECTED)).as("%s", server.running()).isEqualTo(1);
      // Behind a plain close the kernel would keep what it holds for who does not read.
      assertThat(crowd.deaf.untilReset()).as("%s: it is ended by a reset", server.running()).isTrue();
      crowd.othersHaveAll();
      server.running().await("subscriptions").untilAsserted(
          () -> assertThat(server.count(PushServer.SUBSCRIPTIONS)).isEqualTo(OTHERS));
      crowd.addsUp();
      assertThat(server.count(PushServer.DROPPED)).as("%s: what waited for it", server.running()).isPositive();
      crowd.countsWhatTheKernelTook();
      crowd.leave();
      server.awaitQuiet();
    }
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void dropOldestKeepsItAndTheOthersGetAll(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(PushServer.with(variant, Map.of("slow-reader", "drop-oldest")));
        Crowd crowd = new Crowd(server)) {
      int most = publishesMax(server);
      int beyond = 2 * QUEUE_BYTES / server.messageBytes(BODY_BYTES);
      for (int i = 0; i < most; i++) {
        assertThat(crowd.publish()).as("it stays a subscriber").isEqualTo(OTHERS + 1);
        if (i % 50 == 49 && server.count(PushServer.DROPPED) > beyond) {
          break;
        }
      }
      long dropped = server.count(PushServer.DROPPED);
      assertThat(dropped).as("%s: dropped", server.running()).isGreaterThan(beyond);
      assertThat(server.count(PushServer.DISCONNECTED)).isZero();
      crowd.othersHaveAll();
      // It reads at last: what the kernel held, a gap, the newest of the queue; each whole.
      List<Frame> got = crowd.deaf.reading().await(MESSAGE, (int) (crowd.published - dropped));
      List<Long> numbers = got.stream().map(Frame::number).toList();
      assertThat(got).allMatch(f -> Arrays.equals(f.body(), body(f.number(), BODY_BYTES)));
      assertThat(numbers).isSorted().doesNotHaveDuplicates().hasSize((int) (crowd.published - dropped)).startsWith(0L);
      int queued = QUEUE_BYTES / server.messageBytes(BODY_BYTES) - 1;
      assertThat(numbers.subList(numbers.size() - queued, numbers.size()))
          .as("the newest are kept")
          .isEqualTo(LongStream.range(crowd.published - queued, crowd.published).boxed().toList());
      // Once it reads, it misses nothing more.
      assertThat(crowd.publish()).isEqualTo(OTHERS + 1);
      crowd.addsUp();
      assertThat(server.count(PushServer.DROPPED)).isEqualTo(dropped);
      crowd.leave();
      server.awaitQuiet();
    }
  }

  /** Replies are never dropped, so who does not take them is not read from. */
  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("overTcp")
  void whoTakesNoRepliesIsNotReadFrom(Variant variant) throws Exception {
    long mostBytes = NeverReads.kernelBytes(SMALL_BUFFER_BYTES, QUEUE_BYTES) + (8 << 20);
    byte[][] frames = new byte[2_000][];
    Arrays.setAll(frames, i -> frame(i % 2 == 0 ? SUBSCRIBE : LEAVE, 1));
    byte[] block = joined(frames);
    try (PushServer server = PushServer.start(variant);
        PushPeer deaf = new PushPeer(server.running().address(), SMALL_BUFFER_BYTES);
        PushPeer other = server.connect().subscribe(0);
        PushPeer publisher = server.connect()) {
      RunningServer running = server.running();
      CompletableFuture<Void> sending = deaf.sendBehind(block, (int) (2 * mostBytes / block.length));
      long[] number = new long[1];
      NeverReads.slowestUntilStuckNs(
          () -> {
            publisher.publish(0, body(++number[0]));
            other.expectMessage(0, body(number[0]));
            return number;
          },
          // What it sends, and not what the others do.
          () -> (long) running.metric(RECEIVED) - number[0] * (PushPeer.HEAD_BYTES + 8));
      assertThat((long) running.metric(RECEIVED)).as("%s: taken from it", running).isLessThan(mostBytes);
      assertThat(server.count(PushServer.QUEUED)).as("%s: queued for it", running).isLessThan(QUEUE_BYTES + inHandBytes(server) + (1 << 20));
      deaf.reset();
      sending.join();
      publisher.publish(0, body(0));
      other.expectMessage(0, body(0));
    }
  }

  /** Pongs are bounded as replies are, also within a message that is not whole. */
  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("overWebSocket")
  void whoTakesNoPongsIsNotReadFrom(Variant variant) throws Exception {
    byte[] begin = Frames.masked(Frames.BINARY, new byte[] {PUBLISH}, 0);
    begin[0] = Frames.BINARY;
    byte[][] pings = new byte[500][];
    Arrays.fill(pings, Frames.masked(Frames.PING, new byte[Frames.MOST_CONTROL_BYTES], 0));
    byte[] block = joined(pings);
    long bytes = 2 * NeverReads.kernelBytes(SMALL_BUFFER_BYTES, GROWTH_MAX) + 2 * GROWTH_MAX;
    try (PushServer server = PushServer.start(variant);
        PushPeer deaf = server.connect(SMALL_BUFFER_BYTES).subscribe(1);
        PushPeer other = server.connect().subscribe(0);
        PushPeer publisher = server.connect()) {
      RunningServer running = server.running();
      long heldBefore = running.heldBytes();
      deaf.send(begin);
      AtomicLong sent = new AtomicLong();
      Thread sending =
          Thread.ofVirtual().start(
              () -> {
                try {
                  for (long left = bytes; left > 0; left -= block.length) {
                    deaf.send(block);
                    sent.addAndGet(block.length);
                  }
                } catch (IOException e) {
                  // The test has ended it.
                }
              });
      long[] number = new long[1];
      NeverReads.slowestUntilStuckNs(
          () -> {
            publisher.publish(0, body(++number[0]));
            other.expectMessage(0, body(number[0]));
            return number;
          },
          sent::get);
      assertThat(running.heldBytes() - heldBefore).as("%s: growth after %d B of pings", running, sent.get()).isLessThan(GROWTH_MAX);
      deaf.reset();
      sending.join();
      publisher.publish(0, body(0));
      other.expectMessage(0, body(0));
    }
  }

  /** Where the publisher's thread writes itself, one who does not read stops the topic: this is what the other value is for. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("publisherWrites")
  void aPublisherThatWritesItselfWaitsForWhoDoesNotRead(Variant variant) throws Exception {
    try (PushServer server = PushServer.start(variant);
        Crowd crowd = new Crowd(server)) {
      int publishes = publishesMax(server);
      List<byte[]> frames = new ArrayList<>();
      for (int i = 0; i < publishes; i++) {
        frames.add(frame(PUBLISH, 0, body(i, BODY_BYTES)));
      }
      CompletableFuture<Void> sending = crowd.publisher.sendBehind(joined(frames.toArray(byte[][]::new)), 1);
      NeverReads.slowestUntilStuckNs(() -> sending, () -> server.count(PushServer.MESSAGES));
      long delivered = server.count(PushServer.MESSAGES);
      assertThat(delivered).as("%s: deliveries of %d publishes", server.running(), publishes).isLessThan((long) publishes * (OTHERS + 1));
      for (Reading each : crowd.readings) {
        assertThat(each.of(MESSAGE).size()).as("%s: the others wait with it", server.running()).isLessThan(publishes);
      }
      crowd.deaf.reset();
      sending.join();
      for (Reading each : crowd.readings) {
        assertThat(each.await(MESSAGE, publishes).stream().map(Frame::number)).isEqualTo(LongStream.range(0, publishes).boxed().toList());
      }
    }
  }
}
