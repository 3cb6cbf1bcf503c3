package echoladder.servers.contract.push;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Leaks;
import echoladder.servers.contract.OutOfDescriptors;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Tested;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A server that pushes, as a process. At its end Netty has lost none of its buffers. */
final class PushServer implements AutoCloseable {
  static final String PUBLISHED = "echo_push_published_total";
  static final String MESSAGES = "echo_push_messages_total";
  static final String DROPPED = "echo_push_dropped_total";
  static final String DISCONNECTED = "echo_push_disconnected_total";
  static final String MALFORMED = "echo_push_malformed_total";
  static final String SUBSCRIPTIONS = "echo_push_subscriptions";
  static final String QUEUED = "echo_push_queued_bytes";
  static final List<String> SERIES = List.of(PUBLISHED, MESSAGES, DROPPED, DISCONNECTED, MALFORMED, SUBSCRIPTIONS, QUEUED);

  private static final String TCP = "tcp";
  private static final String HTTP = "http";
  private static final String WEBSOCKET = "websocket";
  private static final int PUBLISHES_AFTER_COLLECTION = 20;

  private final Variant variant;
  private final RunningServer server;

  private PushServer(Variant variant, RunningServer server) {
    this.variant = variant;
    this.server = server;
  }

  /** Every server that can push, told to. */
  static Stream<Variant> defaults() {
    return pushing(Variant.defaultsOf(TCP, HTTP, WEBSOCKET));
  }

  /** Those, and each in every other of its modes. */
  static Stream<Variant> all() {
    return pushing(Variant.allOf(TCP, HTTP, WEBSOCKET));
  }

  /** Servers of {@link #all} that push by frames, over TCP or WebSocket. */
  static Stream<Variant> byFrames() {
    return pushing(Variant.allOf(TCP, WEBSOCKET));
  }

  /** Servers of {@link #all} that push over TCP, by frames. */
  static Stream<Variant> overTcp() {
    return pushing(Variant.allOf(TCP));
  }

  /** Servers of {@link #all} that push over WebSocket. */
  static Stream<Variant> overWebSocket() {
    return pushing(Variant.allOf(WEBSOCKET));
  }

  /** Servers of {@link #all} that push over HTTP, by event streams. */
  static Stream<Variant> overHttp() {
    return pushing(Variant.allOf(HTTP));
  }

  private static Stream<Variant> pushing(Stream<Variant> all) {
    return Tested.some(
        all.filter(variant -> Tested.canPush(variant.manifest())).map(variant -> with(variant, Tested.PUSHING)), "servers that push");
  }

  /** The server with these options besides. */
  static Variant with(Variant variant, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(variant.options());
    all.putAll(options);
    return new Variant(variant.manifest(), all);
  }

  static PushServer start(Variant variant) throws Exception {
    return new PushServer(variant, RunningServer.start(variant));
  }

  static PushServer start(Variant variant, Duration drain) throws Exception {
    return new PushServer(variant, RunningServer.start(variant, List.of(), variant.argv(drain)));
  }

  /** With few descriptors, see {@link OutOfDescriptors}. */
  static PushServer withFewDescriptors(Variant variant) throws Exception {
    return new PushServer(variant, OutOfDescriptors.start(variant));
  }

  RunningServer running() {
    return server;
  }

  PushPeer connect() throws IOException {
    return connect(0);
  }

  /** With socket buffers of that size, so that the kernel holds little for who does not read; 0 = the kernel's choice. */
  PushPeer connect(int bufferBytes) throws IOException {
    return begin(bufferBytes).ready();
  }

  /** A connection that the kernel has made and the server need not have seen; {@link PushPeer#ready} waits for that. */
  PushPeer begin(int bufferBytes) throws IOException {
    return switch (variant.manifest().protocol()) {
      case HTTP -> new EventPeer(server.address(), bufferBytes);
      case WEBSOCKET -> new SocketPeer(server.address(), bufferBytes);
      default -> new PushPeer(server.address(), bufferBytes);
    };
  }

  private boolean events() {
    return variant.manifest().protocol().equals(HTTP);
  }

  /** Whether a frame has its length in front, which a client may get wrong. */
  boolean hasLengths() {
    return variant.manifest().protocol().equals(TCP);
  }

  /** What the head of a frame comes to, as the server counts received and sent bytes. */
  int headBytes() {
    return hasLengths() ? PushPeer.HEAD_BYTES : PushPeer.HEAD_BYTES - Integer.BYTES;
  }

  /** What a body comes to as a message, as the server counts it. */
  int messageBytes(int bodyBytes) {
    return events() ? EventPeer.eventBytes(bodyBytes) : PushPeer.HEAD_BYTES + bodyBytes;
  }

  /** What the payload of a message comes to, as the server counts sent bytes. */
  int sentBytes(int bodyBytes) {
    return events() ? EventPeer.eventBytes(bodyBytes) : headBytes() + bodyBytes;
  }

  /** What so many SUBSCRIBED and PUBLISHED come to, as the server counts sent bytes. */
  long replyBytes(int subscribed, int published) {
    return events() ? 0 : (long) subscribed * headBytes() + (long) published * (headBytes() + Integer.BYTES);
  }

  /** So many, each with this subscription. */
  List<PushPeer> subscribers(int count, int topic) throws IOException {
    List<PushPeer> peers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      peers.add(connect().subscribe(topic));
    }
    return peers;
  }

  static void closeAll(List<PushPeer> peers) throws IOException {
    for (PushPeer peer : peers) {
      peer.close();
    }
  }

  /** A count of its page. */
  long count(String series) {
    return (long) server.metric(series);
  }

  /** Waits until no frame waits and nobody has a subscription. */
  void awaitQuiet() {
    server.await("nothing queued").untilAsserted(() -> assertThat(count(QUEUED)).as("%s: %s", server, QUEUED).isZero());
    server.await("no subscriptions").untilAsserted(
        () -> assertThat(count(SUBSCRIPTIONS)).as("%s: %s", server, SUBSCRIPTIONS).isZero());
  }

  @Override
  public void close() throws IOException {
    try (server) {
      if (variant.followed() && server.process().alive()) {
        server.ask("POST", server.ready().gc());
        try (PushPeer peer = connect().subscribe(0);
            PushPeer publisher = connect()) {
          for (int i = 0; i < PUBLISHES_AFTER_COLLECTION; i++) {
            publisher.publish(0, PushPeer.body(i));
            peer.expectMessage(0, PushPeer.body(i));
          }
        }
      }
      assertThat(Leaks.in(server.logLines().stream())).as("%s: buffers that were not released", server).isEmpty();
    }
  }
}
