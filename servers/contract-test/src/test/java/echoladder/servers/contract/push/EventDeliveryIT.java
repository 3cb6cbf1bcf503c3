package echoladder.servers.contract.push;

import static echoladder.servers.contract.push.EventPeer.get;
import static echoladder.servers.contract.push.EventPeer.post;
import static echoladder.servers.contract.push.EventPeer.publication;
import static echoladder.servers.contract.push.PushPeer.MESSAGE;
import static echoladder.servers.contract.push.PushPeer.body;
import static echoladder.servers.contract.push.PushPeer.joined;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.push.PushPeer.Frame;
import echoladder.servers.contract.push.PushPeer.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over HTTP, every message comes whole, in order and once, to exactly those to whom it is due. */
@SharedServer
@MethodSource("echoladder.servers.contract.push.PushServer#overHttp")
record EventDeliveryIT(Variant variant) {
  private static final int MIB = 1 << 20;

  /** In hexadecimal a round number. */
  private static final int CHUNK_BYTES = 0x10000;

  private static final ServerSlot<PushServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> PushServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    SERVER.stop();
  }

  private static EventPeer peer() throws IOException {
    return new EventPeer(SERVER.get().running().address(), 0);
  }

  @Test
  void aMessageGoesToWhoSubscribedAndToNoOtherTopic() throws IOException {
    try (PushPeer one = SERVER.get().connect().subscribe(7);
        PushPeer other = SERVER.get().connect().subscribe(7);
        PushPeer elsewhere = SERVER.get().connect().subscribe(Integer.MAX_VALUE);
        PushPeer publisher = SERVER.get().connect()) {
      assertThat(publisher.publish(7, body(1))).isEqualTo(2);
      one.expectMessage(7, body(1));
      other.expectMessage(7, body(1));
      assertThat(publisher.publish(8, body(2))).as("nobody has topic 8").isZero();
      assertThat(publisher.publish(Integer.MAX_VALUE, body(3))).isEqualTo(1);
      elsewhere.expectMessage(Integer.MAX_VALUE, body(3));
    }
    SERVER.get().awaitQuiet();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 55, 64, 1_000, 4_087, 65_535, 65_536, MIB})
  void messagesAreByteExact(int bytes) throws IOException {
    byte[] text = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) (' ' + i % 95);
    }
    // A blank at the beginning is the message's own, and behind the colon stands another.
    try (EventPeer publisher = peer();
        EventPeer one = peer().subscribe(3);
        EventPeer other = peer().subscribe(3)) {
      for (int i = 0; i < 3; i++) {
        publisher.send(post("/publish?topic=3", text));
        assertThat(publisher.expectPublished(3)).isEqualTo(2);
        for (EventPeer each : List.of(one, other)) {
          assertThat(each.event()).isEqualTo(new String(text, StandardCharsets.US_ASCII));
        }
      }
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void aMessageIsTextOfEveryLanguage() throws IOException {
    String text = "data: \u00fc \u20ac \ud83d\ude00\u0000\u2028 event: x : ";
    try (EventPeer publisher = peer();
        EventPeer one = peer().subscribe(3)) {
      publisher.send(post("/publish?topic=3", text.getBytes(StandardCharsets.UTF_8)));
      assertThat(publisher.expectPublished(3)).isEqualTo(1);
      assertThat(one.event()).isEqualTo(text);
    }
    SERVER.get().awaitQuiet();
  }

  /** Publishers do not wait for answers: each gets its own in the order of its publishes, and all subscribers see one order. */
  @Test
  void allSeeOneOrderOfManyPublishers() throws Exception {
    int publishers = 3;
    int publishes = 400;
    List<PushPeer> peers = SERVER.get().subscribers(8, 3);
    List<Reading> readings = peers.stream().map(PushPeer::reading).toList();
    List<PushPeer> sending = new ArrayList<>();
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (int p = 0; p < publishers; p++) {
      PushPeer publisher = SERVER.get().connect();
      sending.add(publisher);
      byte[][] requests = new byte[publishes][];
      for (int i = 0; i < publishes; i++) {
        requests[i] = publication(3, body((long) p * publishes + i));
      }
      sent.add(publisher.sendBehind(joined(requests), 1));
    }
    for (int p = 0; p < publishers; p++) {
      for (int i = 0; i < publishes; i++) {
        assertThat(sending.get(p).expectPublished(3)).isEqualTo(peers.size());
      }
      sent.get(p).join();
    }
    int all = publishers * publishes;
    List<Long> first = readings.getFirst().await(MESSAGE, all).stream().map(Frame::number).toList();
    assertThat(first).doesNotHaveDuplicates().hasSize(all);
    for (int p = 0; p < publishers; p++) {
      int of = p;
      assertThat(first.stream().filter(n -> n / publishes == of)).as("order of publisher %d", p).isSorted();
    }
    for (Reading each : readings) {
      assertThat(each.await(MESSAGE, all).stream().map(Frame::number)).isEqualTo(first);
    }
    PushServer.closeAll(peers);
    PushServer.closeAll(sending);
    SERVER.get().awaitQuiet();
  }

  /** Subscribers come and go while one publishes without a pause: from the head of its answer on, none misses a message. */
  @Test
  void nothingIsMissedFromTheHeadOn() throws Exception {
    int rounds = 60;
    try (PushPeer publisher = SERVER.get().connect()) {
      CompletableFuture<Void> coming = new CompletableFuture<>();
      Thread.ofVirtual().start(
          () -> {
            try {
              for (int round = 0; round < rounds; round++) {
                try (PushPeer peer = SERVER.get().connect().subscribe(5)) {
                  long next = peer.next().number();
                  for (int i = 0; i < 10; i++) {
                    assertThat(peer.next().number()).isEqualTo(++next);
                  }
                }
              }
              coming.complete(null);
            } catch (IOException | RuntimeException | AssertionError e) {
              coming.completeExceptionally(e);
            }
          });
      for (long i = 0; !coming.isDone(); i++) {
        assertThat(publisher.publish(5, body(i))).isBetween(0, rounds);
      }
      coming.join();
    }
    SERVER.get().awaitQuiet();
  }

  /** A request may be cut anywhere, and the answers to those that are refused stand in the order of the requests. */
  @Test
  void requestsMayBeCutAnywhereOrComeTogether() throws IOException {
    byte[] all =
        joined(
            publication(4, body(1)), post("/publish?topic=4", "a\nb".getBytes(StandardCharsets.US_ASCII)), publication(4, body(2)),
            get("/nothing"), publication(4, body(3)));
    try (PushPeer subscriber = SERVER.get().connect().subscribe(4)) {
      for (int cut = 0; cut <= all.length; cut += 7) {
        try (EventPeer peer = peer()) {
          peer.send(Arrays.copyOf(all, cut));
          peer.send(Arrays.copyOfRange(all, cut, all.length));
          for (int status : new int[] {200, 400, 200, 404, 200}) {
            EventPeer.Answer answer = peer.answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
          }
          for (int i = 1; i <= 3; i++) {
            subscriber.expectMessage(4, body(i));
          }
        }
      }
    }
    SERVER.get().awaitQuiet();
  }

  /** A publish is answered when it was handed to all, and what comes behind it waits for that. */
  @Test
  void whatComesBehindPublishesIsAnsweredBehindThem() throws IOException {
    byte[] publishes = joined(publication(4, body(1)), publication(4, body(2)));
    try (EventPeer peer = peer();
        PushPeer publisher = SERVER.get().connect()) {
      peer.send(joined(publishes, EventPeer.subscription(4)));
      assertThat(peer.expectPublished(4)).isZero();
      assertThat(peer.expectPublished(4)).isZero();
      peer.had(4);
      assertThat(publisher.publish(4, body(3))).isEqualTo(1);
      peer.expectMessage(4, body(3));
    }
    SERVER.get().awaitQuiet();
    try (EventPeer peer = peer()) {
      String tooLong = "POST /publish?topic=4 HTTP/1.1\r\nHost: x\r\nContent-Length: " + (MIB + 1) + "\r\n\r\n";
      peer.send(joined(publishes, tooLong.getBytes(StandardCharsets.US_ASCII)));
      assertThat(peer.expectPublished(4)).isZero();
      assertThat(peer.expectPublished(4)).isZero();
      assertThat(peer.answer().status()).isEqualTo(413);
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void whatIsNoRequestOfTheContractIsRefusedAndItsConnectionGoesOn() throws IOException {
    long before = SERVER.get().count(PushServer.MALFORMED);
    Map<String, Integer> statuses = new LinkedHashMap<>();
    String text = "a";
    for (String topic : List.of("", "?topic=", "?topic=-1", "?topic=2147483648", "?topic=x", "?topic=99999999999999999999", "?topic=%zz", "?topic=1&topic=2")) {
      statuses.put(asked("/subscribe" + topic), 400);
      statuses.put(posted("/publish" + topic, text), 400);
    }
    statuses.put(posted("/publish?topic=1", "a\n"), 400);
    statuses.put(posted("/publish?topic=1", "\ra"), 400);
    // Half a character of UTF-8.
    statuses.put(posted("/publish?topic=1", "a\u00c3"), 400);
    int malformed = statuses.size();
    statuses.put(posted("/subscribe?topic=1", text), 405);
    statuses.put(asked("/publish?topic=1"), 405);
    statuses.put(asked("/"), 404);
    statuses.put(posted("/echo", text), 404);
    try (EventPeer peer = peer()) {
      for (Map.Entry<String, Integer> each : statuses.entrySet()) {
        peer.send(each.getKey());
        assertThat(peer.answer().status()).as(each.getKey()).isEqualTo(each.getValue());
      }
      assertThat(peer.publish(1, body(1))).isZero();
    }
    assertThat(SERVER.get().count(PushServer.MALFORMED)).isEqualTo(before + malformed);
    try (EventPeer peer = peer()) {
      peer.send("POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: " + (MIB + 1) + "\r\n\r\n");
      assertThat(peer.answer().status()).isEqualTo(413);
    }
    SERVER.get().awaitQuiet();
  }

  /** It would be a subscription whose events nobody gets. */
  @Test
  void aHeadSubscribesNobody() throws IOException {
    // Some servers close behind such an answer.
    try (EventPeer peer = peer();
        PushPeer publisher = SERVER.get().connect()) {
      peer.send("HEAD /subscribe?topic=1 HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(peer.statusOfHead()).isEqualTo(405);
      assertThat(publisher.publish(1, body(1))).as("nobody has topic 1").isZero();
      assertThat(SERVER.get().count(PushServer.SUBSCRIPTIONS)).isZero();
    }
    SERVER.get().awaitQuiet();
  }

  @Test
  void chunksThatComeToTooMuchAreRefusedAndTheOthersGoOn() throws IOException {
    byte[] chunk = ("10000\r\n" + "a".repeat(CHUNK_BYTES) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    try (PushPeer subscriber = SERVER.get().connect().subscribe(4);
        PushPeer publisher = SERVER.get().connect();
        EventPeer peer = peer()) {
      peer.send("POST /publish?topic=4 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < MIB / CHUNK_BYTES; i++) {
        peer.send(chunk);
      }
      assertThat(publisher.publish(4, body(1))).isEqualTo(1);
      // One byte beyond, and none behind it: a server that closes with bytes unread may lose its answer.
      peer.send("1\r\na");
      assertThat(peer.answer().status()).isEqualTo(413);
      assertThat(publisher.publish(4, body(2))).isEqualTo(1);
      subscriber.expectMessage(4, body(1));
      subscriber.expectMessage(4, body(2));
    }
    SERVER.get().awaitQuiet();
  }

  private static String asked(String target) {
    return new String(get(target), StandardCharsets.ISO_8859_1);
  }

  /** A byte of the body per character. */
  private static String posted(String target, String body) {
    return new String(post(target, body.getBytes(StandardCharsets.ISO_8859_1)), StandardCharsets.ISO_8859_1);
  }

  @Test
  void endsAndResetsAreQuietAndSubscribersThatAreLeftGoOn() throws IOException {
    try (PushPeer publisher = SERVER.get().connect();
        PushPeer stays = SERVER.get().connect().subscribe(12)) {
      for (int round = 0; round < 10; round++) {
        List<PushPeer> gone = SERVER.get().subscribers(6, 12);
        for (int i = 0; i < gone.size(); i++) {
          switch (i % 3) {
            case 0 -> gone.get(i).reset();
            case 1 -> gone.get(i).close();
            default -> {
              gone.get(i).fin();
              gone.get(i).untilClosed();
              gone.get(i).close();
            }
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

  @Test
  void theCountsAddUp() throws Exception {
    RunningServer running = SERVER.get().running();
    SERVER.get().awaitQuiet();
    running.awaitOpen(0);
    Map<String, Long> expected = new TreeMap<>(running.counts());
    Map<String, Long> push = new TreeMap<>();
    PushServer.SERIES.forEach(series -> push.put(series, SERVER.get().count(series)));
    int subscribers = 10;
    int publishes = 50;
    try (PushPeer publisher = SERVER.get().connect()) {
      List<PushPeer> peers = SERVER.get().subscribers(subscribers, 20);
      assertThat(SERVER.get().count(PushServer.SUBSCRIPTIONS)).isEqualTo(subscribers);
      for (int i = 0; i < publishes; i++) {
        publisher.publish(20, body(i, 100));
      }
      for (PushPeer peer : peers) {
        LongStream.range(0, publishes).forEach(i -> expectMessage(peer, i));
      }
      PushServer.closeAll(peers);
    }
    SERVER.get().awaitQuiet();
    expected.merge("echo_connections_accepted_total", subscribers + 1L, Long::sum);
    expected.merge("echo_received_bytes_total", (long) publishes * EventPeer.textBytes(100), Long::sum);
    expected.merge("echo_sent_bytes_total", (long) subscribers * publishes * EventPeer.eventBytes(100), Long::sum);
    push.merge(PushServer.PUBLISHED, (long) publishes, Long::sum);
    push.merge(PushServer.MESSAGES, (long) publishes * subscribers, Long::sum);
    running.await("counts").untilAsserted(() -> assertThat(running.counts()).as("%s", running).isEqualTo(expected));
    push.forEach((series, count) -> assertThat(SERVER.get().count(series)).as("%s: %s", running, series).isEqualTo(count));
  }

  private static void expectMessage(PushPeer peer, long number) {
    try {
      peer.expectMessage(20, body(number, 100));
    } catch (IOException e) {
      throw new AssertionError("message " + number, e);
    }
  }
}
