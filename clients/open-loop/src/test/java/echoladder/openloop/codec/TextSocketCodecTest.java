package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of text over WebSocket, cut anywhere, in fragments, with control frames between them; and how one is published so. */
class TextSocketCodecTest {
  private static final int CONNECTIONS = 4;
  private static final long SEED = 7;

  private final Failures failures = new Failures();

  private static LoadPlan plan(int messageBytes, String publishPath) {
    return LoadPlan.builder(new Target("127.0.0.1", 9), CONNECTIONS, 100, Duration.ofSeconds(1))
        .protocol(Protocol.WEBSOCKET).http(HttpAsk.ECHO.with(new PushPaths("/events", publishPath))).publish(Publish.ALL)
        .messageBytes(messageBytes).seed(SEED).build();
  }

  private Codec codec(int messageBytes) {
    return Codec.of(plan(messageBytes, "/send"), new Slice(0, 1, CONNECTIONS, CONNECTIONS), failures);
  }

  /** The request of connection 1, and the right answer to it. */
  private static String asked(Codec codec) {
    int bytes = codec.requestBytes(1);
    MemorySegment out = Arena.ofAuto().allocate(bytes, 8);
    codec.request(out, 1, 0, 0, bytes);
    return new String(out.toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
  }

  private static byte[] granted(String request) {
    return Upgrade.answer(String.valueOf(Upgrade.header(request, "Sec-WebSocket-Key")));
  }

  private static byte[] body(long number, int messageBytes) {
    return Heard.text(Heard.message(number, new Random(number)), messageBytes, SEED).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] all(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] part(byte[] body, int from, int to) {
    return Arrays.copyOfRange(body, from, to);
  }

  @ParameterizedTest
  @ValueSource(ints = {55, 64, 125, 126, 300, 70_000})
  void messagesThatAreCutAnywhereAreTheSameMessages(int messageBytes) {
    byte[] first = body(0, messageBytes);
    byte[] second = body(1, messageBytes);
    byte[] third = body(2, messageBytes);
    Codec codec = codec(messageBytes);
    byte[] stream =
        all(
            granted(asked(codec)), Frames.plain(Frames.TEXT, true, first),
            Frames.plain(Frames.BINARY, false, part(second, 0, 9)), Frames.plain(Frames.PING, true, new byte[] {1, 2}),
            Frames.plain(Frames.CONTINUATION, false, new byte[0]), Frames.plain(Frames.CONTINUATION, false, part(second, 9, 55)),
            Frames.plain(Frames.CONTINUATION, true, part(second, 55, messageBytes)), Frames.plain(Frames.PONG, true, new byte[0]),
            Frames.plain(Frames.TEXT, false, third), Frames.plain(Frames.CONTINUATION, true, new byte[0]));
    for (int piece = 1; piece <= stream.length + 100; piece += piece < 80 ? 1 : 2_003) {
      codec.restart(1);
      Heard heard = Heard.of(codec, stream, piece);
      assertThat(heard.answers()).as("in pieces of %d", piece).containsExactly(Answer.RIGHT);
      assertThat(heard.deliveries()).hasSize(3).allMatch(of -> of.right && of.topic == 0);
      for (int number = 0; number < 3; number++) {
        assertThat(heard.deliveries().get(number))
            .usingRecursiveComparison().ignoringFields("right").isEqualTo(Heard.message(number, new Random(number)));
      }
      assertThat(codec.ownBytes(1)).as("a pong is owed").isEqualTo(Frames.headBytes(2, true) + 2);
    }
    assertThat(failures.snapshot()).isEmpty();
  }

  @Test
  void everyLetterOfABodyIsVerified() {
    Codec codec = codec(77);
    byte[] granted = granted(asked(codec));
    byte[] right = body(12, 77);
    for (int at = 0; at < right.length; at++) {
      for (byte letter : new byte[] {'A', '_', '~', (byte) 0xe4, ' '}) {
        if (letter != right[at]) {
          byte[] wrong = right.clone();
          wrong[at] = letter;
          codec.restart(1);
          assertThat(Heard.of(codec, all(granted, Frames.plain(Frames.TEXT, true, wrong)), 30).deliveries())
              .as("%d at %d", letter, at).hasSize(1).allMatch(delivery -> !delivery.right && delivery.topic == 0);
        }
      }
    }
  }

  @Test
  void aMessageOfAnotherLengthIsNotRight() {
    Codec codec = codec(64);
    byte[] granted = granted(asked(codec));
    byte[] right = body(3, 64);
    for (byte[] wrong : List.of(new byte[0], part(right, 0, 54), part(right, 0, 63), Arrays.copyOf(right, 65), new byte[90_000])) {
      codec.restart(1);
      // What follows it is right again.
      byte[] stream = all(granted, Frames.plain(Frames.TEXT, true, wrong), Frames.plain(Frames.TEXT, true, right));
      assertThat(Heard.of(codec, stream, 50).deliveries()).extracting(delivery -> delivery.right).containsExactly(false, true);
    }
  }

  @Test
  void aFrameThatNoServerMaySendIsNamed() {
    Codec codec = codec(64);
    byte[] granted = granted(asked(codec));
    byte[] body = body(0, 64);
    byte[] reserved = Frames.plain(Frames.TEXT, true, body);
    reserved[0] = (byte) (reserved[0] | 0x40);
    List<byte[]> wrong =
        List.of(
            Frames.masked(Frames.TEXT, body, 1), reserved, Frames.plain(3, true, body), Frames.plain(Frames.CONTINUATION, true, body),
            all(Frames.plain(Frames.TEXT, false, body), Frames.plain(Frames.TEXT, true, body)),
            Frames.plain(Frames.CLOSE, true, new byte[] {0, 1}));
    List<String> named =
        List.of(
            "a mask, which a server must not use", "reserved bits set, and no extension was asked for",
            "an opcode that RFC 6455 does not define", "a continuation without a message", "a message that begins within another",
            "a close frame whose body begins with no code that may be sent");
    for (int i = 0; i < wrong.size(); i++) {
      codec.restart(1);
      assertThat(Heard.of(codec, all(granted, wrong.get(i)), 1_000).answers()).startsWith(Answer.RIGHT, Answer.BROKEN);
      assertThat(failures.snapshot()).hasSize(i + 1).containsEntry("WebSocket frame: " + named.get(i), 1L);
    }
  }

  @Test
  void aCloseEndsTheConnectionAndIsAnswered() {
    Codec codec = codec(64);
    byte[] stream = all(granted(asked(codec)), Frames.plain(Frames.CLOSE, true, new byte[] {3, (byte) 0xE9}), body(0, 64));
    Heard heard = Heard.of(codec, stream, 1_000);
    assertThat(heard.answers()).containsExactly(Answer.RIGHT, Answer.ENDED);
    assertThat(heard.deliveries()).isEmpty();
    assertThat(failures.snapshot()).containsOnlyKeys("closed by the server with WebSocket code 1001");
    assertThat(codec.ownBytes(1)).isEqualTo(Frames.headBytes(2, true) + 2);
  }

  @Test
  void whatIsNoUpgradeIsTold() {
    Codec codec = codec(64);
    byte[] refused = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(Heard.of(codec, refused, 7).answers()).containsExactly(Answer.DECLINED);
    codec.restart(1);
    byte[] stream = "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(Heard.of(codec, stream, 7).answers()).containsExactly(Answer.BROKEN);
    codec.restart(1);
    assertThat(Heard.of(codec, "HTTP/1.1 101 Sw".getBytes(StandardCharsets.US_ASCII), 7).answers()).isEmpty();
    assertThat(codec.unended(1)).isEqualTo("WebSocket upgrade: an answer whose head has no end");
    assertThat(failures.snapshot())
        .containsOnlyKeys("HTTP status 404 to the upgrade", "WebSocket upgrade: no header 'Upgrade: websocket'");
  }

  @Test
  void asksForTheUpgradeInPiecesToo() {
    Codec codec = codec(64);
    String whole = asked(codec);
    assertThat(whole).startsWith("GET /events HTTP/1.1\r\nHost: 127.0.0.1:9\r\nUpgrade: websocket\r\n").endsWith("\r\n\r\n");
    MemorySegment out = Arena.ofAuto().allocate(5, 8);
    StringBuilder pieces = new StringBuilder();
    for (int from = 0; from < whole.length(); from += 5) {
      int n = Math.min(5, whole.length() - from);
      codec.request(out, 1, 0, from, n);
      pieces.append(new String(out.asSlice(0, n).toArray(JAVA_BYTE), StandardCharsets.US_ASCII));
    }
    assertThat(pieces).hasToString(whole);
  }

  /** Takes what the answers on a connection that publishes come to. */
  private record Said(List<String> causes) implements PublishTalk.Answers {
    @Override
    public void published(int subscribers) {
      causes.add("published");
    }

    @Override
    public void broken(String cause) {
      causes.add(cause);
    }

    @Override
    public int topic() {
      return -1;
    }
  }

  @Test
  void publishesABodyOfTextInOneMessage() {
    Delivery of = Heard.message(5, new Random(1));
    PublishTalk talk = PublishTalk.of(plan(300, "ws:/send"), failures);
    assertThat(new String(talk.opening(), StandardCharsets.US_ASCII)).startsWith("GET /send HTTP/1.1\r\n");
    assertThat(talk.answered()).isFalse();
    MemorySegment out = Arena.ofAuto().allocate(talk.mostBytes());
    int bytes = talk.publish(out, of);
    int head = Frames.headBytes(300, true);
    assertThat(bytes).isEqualTo(head + 300);
    assertThat(out.get(JAVA_BYTE, 0)).isEqualTo((byte) 0x81);
    Frames.mask(out, head, 300, out.get(Frames.MASK, head - Frames.MASK_BYTES));
    String body = new String(out.asSlice(head, 300).toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
    assertThat(body).isEqualTo(Heard.text(of, 300, SEED));
  }

  /** A server may send what is published to everybody who is connected. */
  @Test
  void whatComesToWhoeverPublishesIsPassedOver() {
    PublishTalk talk = PublishTalk.of(plan(64, "ws:/send"), failures);
    String request = new String(talk.opening(), StandardCharsets.US_ASCII);
    byte[] head = new byte[10];
    Frames.head(MemorySegment.ofArray(head), 0, Frames.BINARY, true, 100_000);
    byte[] stream =
        all(
            granted(request), Frames.plain(Frames.TEXT, true, body(0, 64)), head, new byte[100_000],
            Frames.plain(Frames.TEXT, false, new byte[3]), Frames.plain(Frames.PING, true, new byte[] {7}),
            Frames.plain(Frames.CONTINUATION, true, new byte[3]));
    Said said = new Said(new ArrayList<>());
    for (int from = 0; from < stream.length; from += 37) {
      byte[] piece = part(stream, from, Math.min(stream.length, from + 37));
      talk.take(MemorySegment.ofArray(piece), piece.length, said);
    }
    assertThat(said.causes).isEmpty();
    assertThat(talk.open()).isTrue();
    assertThat(talk.ownBytes()).as("a pong is owed").isEqualTo(Frames.headBytes(1, true) + 1);
    byte[] close = Frames.plain(Frames.CLOSE, true, new byte[0]);
    talk.take(MemorySegment.ofArray(close), close.length, said);
    assertThat(said.causes).containsExactly("closed by the server");
  }

  @Test
  void messagesArePostedWhereThePathSaysNothingElse() {
    PublishTalk talk = PublishTalk.of(plan(64, "/send"), failures);
    MemorySegment out = Arena.ofAuto().allocate(talk.mostBytes());
    int bytes = talk.publish(out, Heard.message(5, new Random(1)));
    assertThat(new String(out.asSlice(0, bytes).toArray(JAVA_BYTE), StandardCharsets.US_ASCII)).startsWith("POST /send HTTP/1.1\r\n");
    assertThat(talk.answered()).isTrue();
  }
}
