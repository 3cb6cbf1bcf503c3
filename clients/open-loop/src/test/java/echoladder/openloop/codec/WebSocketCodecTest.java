package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers cut into pieces of every size must be understood alike. */
class WebSocketCodecTest {
  private static final int MESSAGE = 200;
  private static final long KEY = Payload.key(0, 7, 3);

  private final Failures failures = new Failures();
  private final WebSocketCodec codec = codec(2, MESSAGE);
  private final MemorySegment out = Arena.ofAuto().allocate(4096);

  private WebSocketCodec codec(int connections, int messageBytes) {
    return new WebSocketCodec(connections, messageBytes, new Upgrades("/echo", "127.0.0.1:80", 5, failures), 5, failures);
  }

  private static byte[] message(int bytes) {
    MemorySegment message = Arena.ofAuto().allocate(bytes);
    Payload.fill(message, 0, KEY, 0, bytes);
    return message.toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] bytes(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] whole(byte[] message) {
    return Frames.plain(Frames.BINARY, true, message);
  }

  /** Feeds connection 1 in pieces of that size; the answers that came out. */
  private List<Answer> feed(byte[] said, int piece) {
    List<Answer> answers = new ArrayList<>();
    MemorySegment in = MemorySegment.ofArray(said);
    int at = 0;
    while (at < said.length) {
      int to = Math.min(said.length, at + piece);
      int next = codec.take(1, KEY, in, at, to);
      assertThat(next).as("position").isGreaterThan(at).isLessThanOrEqualTo(to);
      at = next;
      if (codec.complete()) {
        answers.add(codec.answer());
        if (codec.answer() == Answer.BROKEN || codec.answer() == Answer.ENDED) {
          return answers;
        }
      }
    }
    return answers;
  }

  /** What the codec has to say on connection 1 beside requests, in pieces of that size. */
  private byte[] own(int piece) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    for (int left = codec.ownBytes(1); left > 0; left = codec.ownBytes(1)) {
      codec.own(1, out);
      int bytes = Math.min(piece, left);
      said.writeBytes(out.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
      codec.ownSent(1, bytes);
    }
    return said.toByteArray();
  }

  private String key(int piece) {
    String asked = new String(own(piece), StandardCharsets.US_ASCII);
    assertThat(asked).startsWith("GET /echo HTTP/1.1\r\nHost: 127.0.0.1:80\r\n").endsWith("\r\n\r\n");
    return String.valueOf(Upgrade.header(asked, "Sec-WebSocket-Key"));
  }

  private void upgrade() {
    assertThat(feed(Upgrade.answer(key(1_000)), 1_000)).isEmpty();
    assertThat(codec.open(1)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 64, 10_000})
  void understandsAnswersInPiecesOfAnySize(int piece) {
    String key = key(piece);
    assertThat(codec.open(1)).isFalse();
    byte[] m = message(MESSAGE);
    byte[] fragments =
        bytes(
            Frames.plain(Frames.BINARY, false, Arrays.copyOf(m, 1)), Frames.plain(Frames.PING, true, new byte[] {'p'}),
            Frames.plain(Frames.CONTINUATION, false, new byte[0]), Frames.plain(Frames.PONG, true, new byte[0]),
            Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(m, 1, MESSAGE)));
    byte[] early = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(feed(bytes(early, Upgrade.answer(key), whole(m), fragments, whole(m)), piece))
        .containsExactly(Answer.RIGHT, Answer.RIGHT, Answer.RIGHT);
    assertThat(codec.open(1)).isTrue();
    assertThat(codec.open(0)).isFalse();
    // A pong with the ping's payload.
    byte[] pong = own(piece);
    Frames.mask(MemorySegment.ofArray(pong), 6, 1, MemorySegment.ofArray(pong).get(Frames.MASK, 2));
    assertThat(pong).hasSize(7).startsWith(0x8a, 0x81).endsWith('p');
    assertThat(failures.snapshot()).isEmpty();
  }

  @Test
  void seesEveryWrongByteAndLength() {
    upgrade();
    for (int i = 0; i < MESSAGE; i++) {
      byte[] m = message(MESSAGE);
      m[i] ^= 1;
      assertThat(feed(whole(m), 64)).containsExactly(Answer.WRONG);
    }
    byte[] m = message(MESSAGE);
    assertThat(feed(whole(Arrays.copyOf(m, MESSAGE - 1)), 1_000)).containsExactly(Answer.WRONG);
    assertThat(feed(whole(message(MESSAGE + 1)), 1_000)).containsExactly(Answer.WRONG);
    assertThat(feed(whole(new byte[0]), 1_000)).containsExactly(Answer.WRONG);
    byte[] more = bytes(Frames.plain(Frames.BINARY, false, m), Frames.plain(Frames.CONTINUATION, true, new byte[] {0}));
    assertThat(feed(more, 1_000)).containsExactly(Answer.WRONG);
    assertThat(failures.snapshot()).isEmpty();
    assertThat(feed(Frames.plain(Frames.TEXT, true, m), 1_000)).containsExactly(Answer.WRONG);
    assertThat(failures.snapshot()).containsExactly(Map.entry("WebSocket frame: text, in answer to a binary message", 1L));
    assertThat(feed(whole(m), 1_000)).containsExactly(Answer.RIGHT);
  }

  @Test
  void closesAreAnsweredWithTheirCode() {
    upgrade();
    assertThat(feed(Frames.plain(Frames.CLOSE, true, bytes(CloseCode.body(1011), "out of order".getBytes(StandardCharsets.UTF_8))), 3))
        .containsExactly(Answer.ENDED);
    assertThat(codec.open(1)).isFalse();
    byte[] close = own(2);
    Frames.mask(MemorySegment.ofArray(close), 6, 2, MemorySegment.ofArray(close).get(Frames.MASK, 2));
    assertThat(close).hasSize(8).startsWith(0x88, 0x82).endsWith(0x03, 0xf3);
    assertThat(failures.snapshot()).containsExactly(Map.entry("closed by the server with WebSocket code 1011", 1L));
    codec.restart(1);
    upgrade();
    assertThat(feed(Frames.plain(Frames.CLOSE, true, new byte[0]), 1)).containsExactly(Answer.ENDED);
    assertThat(own(100)).hasSize(6);
  }

  @Test
  void aPongThatHasBegunIsEndedBeforeTheNextAndOnlyTheLastOneFollows() {
    upgrade();
    feed(Frames.plain(Frames.PING, true, new byte[] {1}), 100);
    assertThat(codec.ownBytes(1)).isEqualTo(7);
    codec.ownSent(1, 3);
    feed(Frames.plain(Frames.PING, true, new byte[] {2, 2}), 100);
    feed(Frames.plain(Frames.PING, true, new byte[] {3, 3, 3}), 100);
    assertThat(codec.ownBytes(1)).isEqualTo(4);
    codec.ownSent(1, 4);
    assertThat(codec.ownBytes(1)).as("the last one").isEqualTo(9);
  }

  @Test
  void aViolationIsNamedAndEndsTheConnection() {
    upgrade();
    assertThat(feed(Frames.masked(Frames.BINARY, message(MESSAGE), 77), 9)).containsExactly(Answer.BROKEN);
    assertThat(codec.open(1)).isFalse();
    assertThat(failures.snapshot()).containsExactly(Map.entry("WebSocket frame: a mask, which a server must not use", 1L));
  }

  @Test
  void anUpgradeWithoutAnEndIsGivenUp() {
    key(1_000);
    byte[] endless = ("HTTP/1.1 101 x\r\nX: " + "y".repeat(20_000)).getBytes(StandardCharsets.US_ASCII);
    assertThat(feed(endless, 1_000)).containsExactly(Answer.BROKEN);
    assertThat(failures.snapshot()).containsOnlyKeys("WebSocket upgrade: an answer with a head over 16,384 bytes");
  }

  /** What a server reads of a request that was written in pieces. */
  private static byte[] read(WebSocketCodec of, long key, int piece) {
    MemorySegment out = Arena.ofAuto().allocate(piece);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    for (int from = 0; from < of.requestBytes(0); from += piece) {
      int bytes = Math.min(piece, of.requestBytes(0) - from);
      of.request(out, 0, key, from, bytes);
      request.writeBytes(out.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
    byte[] all = request.toByteArray();
    MemorySegment in = MemorySegment.ofArray(all);
    FrameHeads heads = new FrameHeads(1, true);
    int at = heads.take(0, in, 0, all.length);
    assertThat(heads.violation()).isNull();
    assertThat(heads.opcode(0)).isEqualTo(Frames.BINARY);
    assertThat(heads.last(0)).isTrue();
    assertThat(heads.left(0)).isEqualTo(all.length - at);
    assertThat(heads.mask(0)).isEqualTo(WebSocketCodec.mask(key));
    Frames.mask(in, at, all.length - at, heads.mask(0));
    return Arrays.copyOfRange(all, at, all.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 125, 126, 65_535, 65_536, 1 << 20})
  void writesOneMaskedFrameFromAnywhere(int messageBytes) {
    WebSocketCodec of = codec(1, messageBytes);
    for (int piece : new int[] {3, 9, 64 << 10, 2 << 20}) {
      assertThat(read(of, KEY, piece)).as("pieces of %s", piece).isEqualTo(message(messageBytes));
    }
  }

  @Test
  void eachMessageHasAMaskOfItsOwn() {
    Set<Integer> masks = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      masks.add(WebSocketCodec.mask(Payload.key(0, 1, i)));
    }
    assertThat(masks).hasSizeGreaterThan(990).doesNotContain(0);
  }

  @Test
  void costsLittlePerConnectionAndNothingPerEcho() {
    WebSocketCodec many = codec(1_000, MESSAGE);
    assertThat(many.arrayBytes() - new TcpCodec(1_000, MESSAGE).arrayBytes()).isBetween(0L, 16_000L);
    upgrade();
    MemorySegment echo = Arena.ofAuto().allocate(codec.requestBytes(1));
    MemorySegment.copy(MemorySegment.ofArray(whole(message(MESSAGE))), 0, echo, 0, MESSAGE + 4);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    int echoes = 30_000;
    for (int i = -echoes; i < echoes; i++) {
      if (i == 0) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      codec.request(out, 1, KEY, 0, codec.requestBytes(1));
      codec.take(1, KEY, echo, 0, MESSAGE + 4);
      if (codec.ownBytes(1) > 0 || codec.answer() != Answer.RIGHT) {
        throw new AssertionError("echo " + i + " was " + codec.answer());
      }
    }
    // Less than an object each: what an interpreter makes on the way counts too.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8L * echoes);
  }
}
