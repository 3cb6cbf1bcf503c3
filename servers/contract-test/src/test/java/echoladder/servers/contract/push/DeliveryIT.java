package echoladder.servers.contract.push;

import static echoladder.servers.contract.push.PushPeer.LEAVE;
import static echoladder.servers.contract.push.PushPeer.LEFT;
import static echoladder.servers.contract.push.PushPeer.MESSAGE;
import static echoladder.servers.contract.push.PushPeer.PUBLISH;
import static echoladder.servers.contract.push.PushPeer.PUBLISHED;
import static echoladder.servers.contract.push.PushPeer.SUBSCRIBE;
import static echoladder.servers.contract.push.PushPeer.SUBSCRIBED;
import static echoladder.servers.contract.push.PushPeer.body;
import static echoladder.servers.contract.push.PushPeer.frame;
import static echoladder.servers.contract.push.PushPeer.joined;
import static echoladder.servers.contract.push.PushPeer.raw;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.push.PushPeer.Frame;
import echoladder.servers.contract.push.PushPeer.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By frames, over TCP or WebSocket, every message comes whole, in order and once, to exactly those to whom it is due. */
@SharedServer
@MethodSource("echoladder.servers.contract.push.PushServer#byFrames")
record DeliveryIT(Variant variant) {
  private static final int MIB = 1 << 20;
  private static final int MOST_SUBSCRIPTIONS = 1024;
  private static final int ROUNDS = 5;

  /** The head of a long frame and a little of its body. */
  private static final int BEGINNING_BYTES = 24;

  private static final int SIGSTOP = 19;
  private static final int SIGCONT = 18;

  private static final ServerSlot<PushServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> PushServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    SERVER.stop();
  }

  @Test
  void aMessageGoesToWhoSubscribedAndToItsPublisherWhereItDid() throws IOException {
    try (PushPeer one = SERVER.get().connect().subscribe(7);
        PushPeer other = SERVER.get().connect().subscribe(7);
        PushPeer publisher = SERVER.get().connect()) {
      assertThat(publisher.publish(7, body(1))).isEqualTo(2);
      one.expectMessage(7, body(1));
      other.expectMessage(7, body(1));
      assertThat(publisher.publish(8, body(2))).as("nobody has topic 8").isZero();
      publisher.subscribe(7);
      publisher.say(frame(PUBLISH, 7, body(3)));
      List<Frame> got = List.of(publisher.next(), publisher.next());
      assertThat(got).as("its own message and the count, in either order").anyMatch(f -> f.is(MESSAGE) && f.number() == 3)
          .anyMatch(f -> f.is(PUBLISHED) && f.count() == 3);
      one.expectMessage(7, body(3));
    }
    SERVER.get().awaitQuiet();
  }

  /** A publish, and the ends of those who are to get it, wait for the server together. */
  @Test
  void whoResetsWhileAMessageIsOnItsWayEndsOnce() throws IOException {
    RunningServer running = SERVER.get().running();
    int pid = Math.toIntExact(running.ready().pid());
    running.awaitOpen(0);
    for (int round = 0; round < ROUNDS; round++) {
      try (PushPeer publisher = SERVER.get().connect()) {
        assertThat(publisher.publish(6, body(round))).as("it is known to the server before that stops").isZero();
        List<PushPeer> gone = SERVER.get().subscribers(8, 5);
        signal(pid, SIGSTOP);
        try {
          running.await("it stands still").until(() -> Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") T "));
          publisher.say(frame(PUBLISH, 5, body(round)));
          for (PushPeer each : gone) {
            each.reset();
          }
        } finally {
          signal(pid, SIGCONT);
        }
        assertThat(publisher.expectPublished(5)).isBetween(0, 8);
        running.awaitOpen(1);
        assertThat(publisher.publish(5, body(round))).as("nobody is left").isZero();
      }
      running.awaitOpen(0);
    }
    SERVER.get().awaitQuiet();
  }

  private static void signal(int pid, int signal) {
    assertThat(new SystemCalls().kill(pid, signal)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 64, 4_087, 65_535, 65_536, MIB})
  void messagesAreByteExact(int bytes) throws IOException {
    byte[] body = bytes < 8 ? Arrays.copyOf(body(bytes), bytes) : body(bytes, bytes);
    try (PushPeer publisher = SERVER.get().connect()) {
      List<PushPeer> peers = SERVER.get().subscribers(3, Integer.MAX_VALUE);
      for (int i = 0; i < 3; i++) {
        assertThat(publisher.publish(Integer.MAX_VALUE, body)).isEqualTo(3);
        for (PushPeer peer : peers) {
          peer.expectMessage(Integer.MAX_VALUE, body);
        }
      }
      PushServer.closeAll(peers);
    }
  }

  @Test
  void allSeeTheOrderOfAPublisherAndNoOtherTopic() throws Exception {
    int publishes = 1_000;
    try (PushPeer publisher = SERVER.get().connect()) {
      List<PushPeer> even = SERVER.get().subscribers(8, 0);
      List<PushPeer> odd = SERVER.get().subscribers(8, 1);
      List<PushPeer> both = SERVER.get().subscribers(4, 0);
      for (PushPeer peer : both) {
        peer.subscribe(1);
      }
      List<Reading> evens = even.stream().map(PushPeer::reading).toList();
      List<Reading> odds = odd.stream().map(PushPeer::reading).toList();
      List<Reading> all = both.stream().map(PushPeer::reading).toList();
      Reading counts = publisher.reading();
      for (int i = 0; i < publishes; i++) {
        publisher.say(frame(PUBLISH, i % 2, body(i)));
      }
      assertThat(counts.await(PUBLISHED, publishes)).allMatch(f -> f.count() == 12);
      assertThat(counts.of(PUBLISHED)).as("replies in the order of the publishes").extracting(Frame::topic)
          .isEqualTo(LongStream.range(0, publishes).mapToObj(i -> (int) (i % 2)).toList());
      for (Reading each : evens) {
        numbered(each, publishes / 2, LongStream.range(0, publishes).filter(i -> i % 2 == 0), 0);
      }
      for (Reading each : odds) {
        numbered(each, publishes / 2, LongStream.range(0, publishes).filter(i -> i % 2 == 1), 1);
      }
      for (Reading each : all) {
        List<Frame> got = each.await(MESSAGE, publishes);
        assertThat(got).as("messages of both topics, each on its own topic").allMatch(f -> f.topic() == f.number() % 2);
        for (int topic = 0; topic < 2; topic++) {
          int wanted = topic;
          assertThat(got.stream().filter(f -> f.topic() == wanted).map(Frame::number))
              .as("order within topic %d", topic).isSorted().hasSize(publishes / 2);
        }
      }
      PushServer.closeAll(even);
      PushServer.closeAll(odd);
      PushServer.closeAll(both);
    }
  }

  private static void numbered(Reading reading, int count, LongStream expected, int topic) throws InterruptedException {
    List<Frame> got = reading.await(MESSAGE, count);
    assertThat(got).as("messages on topic %d", topic).allMatch(f -> f.topic() == topic && Arrays.equals(f.body(), body(f.number())));
    assertThat(got.stream().map(Frame::number)).isEqualTo(expected.boxed().toList());
  }

  @Test
  void allSeeOneOrderOfManyPublishers() throws Exception {
    int publishers = 4;
    int publishes = 500;
    List<PushPeer> peers = SERVER.get().subscribers(12, 3);
    List<Reading> readings = peers.stream().map(PushPeer::reading).toList();
    List<PushPeer> sending = new ArrayList<>();
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    List<Reading> replies = new ArrayList<>();
    for (int p = 0; p < publishers; p++) {
      PushPeer publisher = SERVER.get().connect();
      sending.add(publisher);
      replies.add(publisher.reading());
      byte[][] frames = new byte[publishes][];
      for (int i = 0; i < publishes; i++) {
        frames[i] = publisher.wire(frame(PUBLISH, 3, body((long) p * publishes + i)));
      }
      sent.add(publisher.sendBehind(joined(frames), 1));
    }
    for (int p = 0; p < publishers; p++) {
      sent.get(p).join();
      assertThat(replies.get(p).await(PUBLISHED, publishes)).allMatch(f -> f.count() == peers.size());
    }
    List<Long> first = readings.getFirst().await(MESSAGE, publishers * publishes).stream().map(Frame::number).toList();
    assertThat(first).doesNotHaveDuplicates().hasSize(publishers * publishes);
    for (int p = 0; p < publishers; p++) {
      int of = p;
      assertThat(first.stream().filter(n -> n / publishes == of)).as("order of publisher %d", p).isSorted();
    }
    for (Reading each : readings) {
      assertThat(each.await(MESSAGE, publishers * publishes).stream().map(Frame::number)).isEqualTo(first);
    }
    PushServer.closeAll(peers);
    PushServer.closeAll(sending);
  }

  /** Subscribers come and go while one publishes without a pause; each message is due to those between SUBSCRIBED and LEFT. */
  @Test
  void aMessageIsDueFromSubscribedToLeft() throws Exception {
    int peers = 8;
    int rounds = 25;
    AtomicBoolean going = new AtomicBoolean(true);
    try (PushPeer publisher = SERVER.get().connect()) {
      CompletableFuture<Map<Long, Integer>> counts = new CompletableFuture<>();
      Thread.ofVirtual().start(
          () -> {
            Map<Long, Integer> handed = new TreeMap<>();
            try {
              for (long i = 0; going.get(); i++) {
                handed.put(i, publisher.publish(5, body(i)));
              }
              counts.complete(handed);
            } catch (IOException | RuntimeException | AssertionError e) {
              counts.completeExceptionally(e);
            }
          });
      List<CompletableFuture<Map<Long, Integer>>> received = new ArrayList<>();
      for (int p = 0; p < peers; p++) {
        CompletableFuture<Map<Long, Integer>> got = new CompletableFuture<>();
        received.add(got);
        Thread.ofVirtual().start(
            () -> {
              try (PushPeer peer = SERVER.get().connect()) {
                got.complete(comeAndGo(peer, rounds));
              } catch (IOException | RuntimeException | AssertionError e) {
                got.completeExceptionally(e);
              }
            });
      }
      Map<Long, Integer> all = new TreeMap<>();
      for (CompletableFuture<Map<Long, Integer>> each : received) {
        each.join().forEach((number, times) -> all.merge(number, times, Integer::sum));
      }
      going.set(false);
      Map<Long, Integer> handed = new TreeMap<>(counts.join());
      handed.values().removeIf(count -> count == 0);
      assertThat(all).as("%s: to how many each message came, beside the count of its PUBLISHED", SERVER.get().running()).isEqualTo(handed);
    }
    SERVER.get().awaitQuiet();
  }

  /** In each round what comes between SUBSCRIBED and LEFT has no gap, and at least one message; gives how often each came. */
  private static Map<Long, Integer> comeAndGo(PushPeer peer, int rounds) throws IOException {
    Map<Long, Integer> got = new HashMap<>();
    for (int round = 0; round < rounds; round++) {
      peer.subscribe(5);
      Frame first = peer.next();
      assertThat(first.is(MESSAGE)).as("%s behind SUBSCRIBED", first).isTrue();
      long next = first.number();
      peer.say(frame(LEAVE, 5));
      Frame frame = first;
      for (; frame.is(MESSAGE); frame = peer.next()) {
        assertThat(frame.number()).as("no gap between SUBSCRIBED and LEFT").isEqualTo(next++);
        got.merge(frame.number(), 1, Integer::sum);
      }
      assertThat(frame.kind()).isEqualTo(LEFT);
    }
    return got;
  }

  @Test
  void subscribingTwiceDeliversOnceAndLeavingTwiceIsAnswered() throws IOException {
    try (PushPeer peer = SERVER.get().connect().subscribe(2).subscribe(2).subscribe(6);
        PushPeer publisher = SERVER.get().connect()) {
      assertThat(SERVER.get().count(PushServer.SUBSCRIPTIONS)).isEqualTo(2);
      assertThat(publisher.publish(2, body(1))).isEqualTo(1);
      assertThat(publisher.publish(6, body(2))).isEqualTo(1);
      peer.expectMessage(2, body(1));
      peer.expectMessage(6, body(2));
      peer.leave(2);
      peer.leave(2);
      assertThat(publisher.publish(2, body(3))).isZero();
      assertThat(publisher.publish(6, body(4))).isEqualTo(1);
      peer.expectMessage(6, body(4));
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void framesMayBeCutAnywhereOrComeTogether() throws IOException {
    byte[][] frames = {frame(SUBSCRIBE, 4), frame(PUBLISH, 4, body(1, 20)), frame(PUBLISH, 4), frame(LEAVE, 4), frame(SUBSCRIBE, 4)};
    byte[] all;
    try (PushPeer peer = SERVER.get().connect()) {
      all = joined(Arrays.stream(frames).map(peer::wire).toArray(byte[][]::new));
    }
    for (int cut = 0; cut <= all.length; cut++) {
      try (PushPeer peer = SERVER.get().connect()) {
        peer.send(Arrays.copyOf(all, cut));
        peer.send(Arrays.copyOfRange(all, cut, all.length));
        conversed(peer);
      }
    }
    try (PushPeer peer = SERVER.get().connect()) {
      for (byte each : all) {
        peer.send(new byte[] {each});
      }
      conversed(peer);
    }
  }

  private static void conversed(PushPeer peer) throws IOException {
    Map<Integer, List<Integer>> bodies = new TreeMap<>();
    for (int i = 0; i < 7; i++) {
      Frame got = peer.next();
      assertThat(got.topic()).isEqualTo(4);
      bodies.computeIfAbsent(got.kind(), kind -> new ArrayList<>()).add(got.body().length);
    }
    assertThat(bodies)
        .isEqualTo(Map.of(SUBSCRIBED, List.of(0, 0), MESSAGE, List.of(20, 0), PUBLISHED, List.of(4, 4), LEFT, List.of(0)));
  }

  @Test
  void whatIsNoFrameEndsItsConnectionAloneAndIsCounted() throws IOException {
    List<byte[]> malformed = new ArrayList<>();
    if (SERVER.get().hasLengths()) {
      malformed.add(raw(0, PUBLISH, 0));
      malformed.add(raw(4, PUBLISH, 0));
      malformed.add(raw(-1, PUBLISH, 0));
      malformed.add(raw(Integer.MIN_VALUE, PUBLISH, 0));
      malformed.add(raw(5 + MIB + 1, PUBLISH, 0));
      malformed.add(raw(Integer.MAX_VALUE, PUBLISH, 0));
    }
    malformed.add(raw(6, SUBSCRIBE, 0, (byte) 0));
    malformed.add(raw(6, LEAVE, 0, (byte) 0));
    malformed.add(frame(PUBLISH, -1, body(0)));
    malformed.add(frame(SUBSCRIBE, Integer.MIN_VALUE));
    for (int kind : new int[] {0, MESSAGE, SUBSCRIBED, LEFT, PUBLISHED, 8, 127, 128, 255}) {
      malformed.add(frame(kind, 0));
    }
    long before = SERVER.get().count(PushServer.MALFORMED);
    try (PushPeer other = SERVER.get().connect().subscribe(9);
        PushPeer publisher = SERVER.get().connect()) {
      for (byte[] each : malformed) {
        try (PushPeer peer = SERVER.get().connect().subscribe(9)) {
          peer.say(each);
          // What was due before may still come.
          assertThat(peer.untilClosed().length).as("bytes before the end").isLessThanOrEqualTo(PushPeer.HEAD_BYTES);
        }
        assertThat(publisher.publish(9, body(1))).as("publishes go on").isPositive();
        other.expectMessage(9, body(1));
      }
      SERVER.get().running().await("malformed frames").untilAsserted(
          () -> assertThat(SERVER.get().count(PushServer.MALFORMED)).isEqualTo(before + malformed.size()));
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void moreThanTheMostSubscriptionsEndTheConnection() throws IOException {
    long before = SERVER.get().count(PushServer.MALFORMED);
    try (PushPeer peer = SERVER.get().connect()) {
      for (int topic = 0; topic < MOST_SUBSCRIPTIONS; topic++) {
        peer.subscribe(topic);
      }
      peer.say(frame(SUBSCRIBE, MOST_SUBSCRIPTIONS));
      assertThat(peer.untilClosed().length).as("bytes before the end").isLessThanOrEqualTo(PushPeer.HEAD_BYTES);
    }
    SERVER.get().awaitQuiet();
    assertThat(SERVER.get().count(PushServer.MALFORMED)).isEqualTo(before + 1);
  }

  @Test
  void theMostSubscriptionsWork() throws IOException {
    try (PushPeer peer = SERVER.get().connect();
        PushPeer publisher = SERVER.get().connect()) {
      for (int topic = 0; topic < MOST_SUBSCRIPTIONS; topic++) {
        peer.subscribe(topic);
      }
      peer.leave(0);
      peer.subscribe(MOST_SUBSCRIPTIONS);
      for (int topic : new int[] {1, 500, MOST_SUBSCRIPTIONS}) {
        assertThat(publisher.publish(topic, body(topic))).isEqualTo(1);
        peer.expectMessage(topic, body(topic));
      }
    }
    SERVER.get().awaitQuiet();
  }

  /** What a head announces is not there yet. */
  @Test
  void anAnnouncedBodyTakesNoMemory() throws IOException {
    int count = 100;
    RunningServer running = SERVER.get().running();
    running.awaitOpen(0);
    long before = running.heldBytes();
    List<PushPeer> peers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PushPeer peer = SERVER.get().connect().subscribe(0);
      peer.send(Arrays.copyOf(peer.wire(frame(PUBLISH, 0, new byte[MIB])), BEGINNING_BYTES));
      peers.add(peer);
    }
    try (PushPeer publisher = SERVER.get().connect()) {
      assertThat(publisher.publish(0, body(1))).isEqualTo(count);
      for (PushPeer peer : peers) {
        peer.expectMessage(0, body(1));
      }
    }
    assertThat(running.heldBytes() - before).as("%s: growth of what is held", running).isLessThan(32L * MIB);
    PushServer.closeAll(peers);
    SERVER.get().awaitQuiet();
  }

  @Test
  void aFinEndsTheSubscriptionsBehindWhatIsQueued() throws IOException {
    try (PushPeer peer = SERVER.get().connect().subscribe(11)) {
      for (int i = 0; i < 100; i++) {
        peer.say(frame(PUBLISH, 11, body(i, 1_000)));
      }
      peer.fin();
      int messages = 0;
      int published = 0;
      for (int i = 0; i < 200; i++) {
        Frame got = peer.next();
        if (got.is(MESSAGE)) {
          assertThat(got.body()).isEqualTo(body(messages++, 1_000));
        } else {
          assertThat(got.is(PUBLISHED)).as("%s", got).isTrue();
          published++;
        }
      }
      assertThat(List.of(messages, published)).isEqualTo(List.of(100, 100));
      peer.expectEnd();
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void resetsAreQuietAndSubscribersThatAreLeftGoOn() throws IOException {
    try (PushPeer publisher = SERVER.get().connect();
        PushPeer stays = SERVER.get().connect().subscribe(12)) {
      for (int round = 0; round < 20; round++) {
        List<PushPeer> gone = SERVER.get().subscribers(5, 12);
        for (int i = 0; i < gone.size(); i++) {
          if (i % 2 == 0) {
            gone.get(i).reset();
          } else {
            gone.get(i).close();
          }
        }
        publisher.publish(12, body(round));
        stays.expectMessage(12, body(round));
      }
      SERVER.get().running().await("subscriptions").untilAsserted(
          () -> assertThat(SERVER.get().count(PushServer.SUBSCRIPTIONS)).isEqualTo(1));
      assertThat(publisher.publish(12, body(99))).isEqualTo(1);
      stays.expectMessage(12, body(99));
    }
    SERVER.get().awaitQuiet();
  }
}
