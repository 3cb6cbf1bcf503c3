package echoladder.servers.contract.push;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A client of a push server, over TCP. One thread at a time reads. */
class PushPeer extends Peer {
  static final int SUBSCRIBE = 1;
  static final int LEAVE = 2;
  static final int PUBLISH = 3;
  static final int MESSAGE = 4;
  static final int SUBSCRIBED = 5;
  static final int LEFT = 6;
  static final int PUBLISHED = 7;

  /** Length, kind and topic. */
  static final int HEAD_BYTES = 9;

  private static final int NUMBER_BYTES = 8;
  private static final byte[] NOTHING = {};

  /** With socket buffers of that size, so that the kernel holds little for who does not read. */
  PushPeer(InetSocketAddress server, int bufferBytes) throws IOException {
    super(server, bufferBytes);
  }

  /** A frame that came. */
  @SuppressWarnings("ArrayRecordComponent") // Frames are not compared.
  record Frame(int kind, int topic, byte[] body) {
    /** The number of the message. */
    long number() {
      return ByteBuffer.wrap(body).getLong();
    }

    /** The count of a PUBLISHED. */
    int count() {
      return ByteBuffer.wrap(body).getInt();
    }

    boolean is(int wanted) {
      return kind == wanted;
    }

    @Override
    public String toString() {
      return "kind %d, topic %d, %d B".formatted(kind, topic, body.length);
    }
  }

  /** A body of 8 bytes or more that its number foretells, byte by byte. */
  static byte[] body(long number, int bytes) {
    byte[] body = new byte[bytes];
    new SplittableRandom(number).nextBytes(body);
    ByteBuffer.wrap(body).putLong(number);
    return body;
  }

  /** The shortest body with a number. */
  static byte[] body(long number) {
    return body(number, NUMBER_BYTES);
  }

  /** A frame as it is sent. */
  static byte[] frame(int kind, int topic, byte... body) {
    return raw(HEAD_BYTES - 4 + body.length, kind, topic, body);
  }

  /** A frame whose head says what it likes. */
  static byte[] raw(int length, int kind, int topic, byte... body) {
    return ByteBuffer.allocate(HEAD_BYTES + body.length).putInt(length).put((byte) kind).putInt(topic).put(body).array();
  }

  static byte[] joined(byte[]... frames) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(frames).mapToInt(each -> each.length).sum());
    for (byte[] each : frames) {
      all.put(each);
    }
    return all.array();
  }

  /** The next frame; EOFException where the server closed instead. */
  Frame next() throws IOException {
    byte[] head = exactly(HEAD_BYTES);
    ByteBuffer fields = ByteBuffer.wrap(head);
    int length = fields.getInt();
    int kind = fields.get();
    int topic = fields.getInt();
    assertThat(length).as("length of a frame of kind %d", kind).isBetween(HEAD_BYTES - 4, HEAD_BYTES - 4 + (1 << 20));
    int bodyBytes = length - (HEAD_BYTES - 4);
    return new Frame(kind, topic, bodyBytes == 0 ? NOTHING : exactly(bodyBytes));
  }

  /** The frame whose kind, topic and body these are. */
  static Frame framed(byte[] counted) {
    ByteBuffer fields = ByteBuffer.wrap(counted);
    return new Frame(fields.get(), fields.getInt(), Arrays.copyOfRange(counted, HEAD_BYTES - 4, counted.length));
  }

  /** A frame as this client sends it. */
  byte[] wire(byte[] frame) {
    return frame;
  }

  /** Sends a frame. */
  final void say(byte[] frame) throws IOException {
    send(wire(frame));
  }

  final byte[] exactly(int bytes) throws IOException {
    byte[] got = in.readNBytes(bytes);
    if (got.length < bytes) {
      throw new EOFException("closed after " + got.length + " of " + bytes + " bytes");
    }
    return got;
  }

  private Frame expect(int kind, int topic) throws IOException {
    Frame got = next();
    assertThat(got.kind).as("kind of the frame that came: %s", got).isEqualTo(kind);
    assertThat(got.topic).as("topic of the frame that came: %s", got).isEqualTo(topic);
    return got;
  }

  /** Waits until the connection can be talked on; over TCP and HTTP it can be from the beginning. */
  PushPeer ready() throws IOException {
    return this;
  }

  /** Asks for a subscription, as far as that goes without an answer; {@link #had} waits for the subscription. */
  void ask(int topic) throws IOException {
    say(frame(SUBSCRIBE, topic));
  }

  /** Waits until the subscription is had that was asked for. */
  PushPeer had(int topic) throws IOException {
    expect(SUBSCRIBED, topic);
    return this;
  }

  PushPeer subscribe(int topic) throws IOException {
    ask(topic);
    return had(topic);
  }

  /** Ends a subscription, where there are frames: one over HTTP ends with its connection. */
  final void leave(int topic) throws IOException {
    say(frame(LEAVE, topic));
    expect(LEFT, topic);
  }

  /** Publishes, as one who has not subscribed; to how many it was handed. */
  int publish(int topic, byte... body) throws IOException {
    say(frame(PUBLISH, topic, body));
    return expectPublished(topic);
  }

  int expectPublished(int topic) throws IOException {
    Frame got = expect(PUBLISHED, topic);
    assertThat(got.body).as("count of PUBLISHED").hasSize(4);
    return got.count();
  }

  void expectMessage(int topic, byte[] body) throws IOException {
    Frame got = expect(MESSAGE, topic);
    int wrong = Arrays.mismatch(got.body, body);
    assertThat(wrong).as("first wrong byte of a message of %d B, of which %d came", body.length, got.body.length).isEqualTo(-1);
  }

  /** What {@link #next} says of a connection that the server ended behind all messages. */
  String wholeEnd() {
    return "closed after 0 of " + HEAD_BYTES + " bytes";
  }

  /** The next thing to come is the end. */
  void expectEnd() throws IOException {
    assertThat(in.read()).as("end of stream").isEqualTo(-1);
  }

  /** Reads on a thread of its own until the connection ends. */
  Reading reading() {
    Reading reading = new Reading();
    Thread.ofVirtual().start(() -> reading.readAll(this));
    return reading;
  }

  /** What a peer has got so far. Thread-safe. */
  static final class Reading {
    private final List<Frame> frames = new ArrayList<>();
    private final int[] counts = new int[PUBLISHED + 1];
    private boolean ended;

    private void readAll(PushPeer peer) {
      try {
        while (true) {
          Frame frame = peer.next();
          synchronized (this) {
            frames.add(frame);
            counts[frame.kind]++;
            notifyAll();
          }
        }
      } catch (EOFException | SocketException e) {
        // Closed, by either end.
      } catch (IOException e) {
        throw new AssertionError(e);
      } finally {
        synchronized (this) {
          ended = true;
          notifyAll();
        }
      }
    }

    /** Waits for so many frames of that kind, and gives all of that kind. */
    synchronized List<Frame> await(int kind, int count) throws InterruptedException {
      long endNs = System.nanoTime() + PATIENCE.toNanos();
      while (counts[kind] < count && !ended && System.nanoTime() - endNs < 0) {
        wait(1_000);
      }
      List<Frame> got = of(kind);
      assertThat(got).as("frames of kind %d", kind).hasSizeGreaterThanOrEqualTo(count);
      return got;
    }

    /** Waits for the end, and gives all that came. */
    synchronized List<Frame> awaitEnd() throws InterruptedException {
      long endNs = System.nanoTime() + PATIENCE.toNanos();
      while (!ended && System.nanoTime() - endNs < 0) {
        wait(1_000);
      }
      assertThat(ended).as("the connection has ended").isTrue();
      return List.copyOf(frames);
    }

    synchronized List<Frame> of(int kind) {
      return frames.stream().filter(frame -> frame.is(kind)).toList();
    }
  }
}
