package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Event streams cut anywhere, lines that end in each way, messages with a letter turned into another. */
class EventStreamCodecTest {
  private static final int CONNECTIONS = 4;
  private static final long SEED = 7;
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String PLAIN = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

  private static EventStreamCodec codec(int messageBytes, Failures failures) {
    LoadPlan plan =
        LoadPlan.builder(new Target("127.0.0.1", 9), CONNECTIONS, 100, Duration.ofSeconds(1))
            .protocol(Protocol.HTTP).publish(Publish.ALL).messageBytes(messageBytes).seed(SEED).build();
    return new EventStreamCodec(plan, Publish.ALL, new Slice(0, 1, CONNECTIONS, CONNECTIONS), failures);
  }

  private static Delivery message(long number, Random random) {
    return Heard.message(number, random);
  }

  private static String text(Delivery of, int messageBytes) {
    return Heard.text(of, messageBytes, SEED);
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private static Heard heard(EventStreamCodec codec, String text, int piece) {
    return Heard.of(codec, text.getBytes(StandardCharsets.ISO_8859_1), piece);
  }

  @ParameterizedTest
  @ValueSource(ints = {55, 56, 64, 300})
  void streamsThatAreCutAnywhereAreTheSameStreams(int messageBytes) {
    Random random = new Random(messageBytes);
    List<Delivery> sent = new ArrayList<>();
    StringBuilder events = new StringBuilder();
    StringBuilder chunks = new StringBuilder();
    for (int number = 0; number < 5; number++) {
      Delivery message = message(number, random);
      sent.add(message);
      String event = "data: " + text(message, messageBytes) + "\n\n";
      events.append(event);
      chunks.append(chunk(event));
    }
    String inOne = events.toString();
    for (String stream :
        List.of(
            CHUNKED + chunks, CHUNKED + chunk(inOne), CHUNKED + chunk(inOne.substring(0, 70)) + chunk(inOne.substring(70)), PLAIN + inOne)) {
      for (int piece = 1; piece <= messageBytes + 200; piece += piece < 80 ? 1 : 13) {
        Heard heard = heard(codec(messageBytes, new Failures()), stream, piece);
        assertThat(heard.answers()).containsExactly(Answer.RIGHT);
        assertThat(heard.deliveries()).hasSameSizeAs(sent).allMatch(delivery -> delivery.right);
        for (int i = 0; i < sent.size(); i++) {
          assertThat(heard.deliveries().get(i)).usingRecursiveComparison().ignoringFields("right").isEqualTo(sent.get(i));
        }
      }
    }
  }

  /** A letter for each of {}: the message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: {}\n\n", "data:{}\n\n", "data: {}\r\n\r\n", "data: {}\r\r", ": a comment\ndata: {}\n\n", "\n\n\ndata: {}\n\n",
        "id: 5\nretry: 10\ndata: {}\n\n", "event: message\ndata: {}\n\n", "event:\ndata: {}\n\n", "event: x\nevent: message\ndata: {}\n\n",
        "data: {}\nevent: message\n\n", "datas: x\ndat: y\nd\ndata: {}\n\n", "event: other\ndata: x\n\ndata: {}\n\n",
        "event: messages\ndata: {}\n\ndata: {}\n\n", "id: 1\n\ndata: {}\n\n"
      })
  void everyFormOfAnEventIsTheMessage(String form) {
    Delivery message = message(9, new Random(1));
    String stream = PLAIN + form.replace("{}", text(message, 64));
    for (int piece : new int[] {1, 7, 1_000}) {
      Heard heard = heard(codec(64, new Failures()), stream, piece);
      assertThat(heard.deliveries()).as("in pieces of %d", piece).hasSize(1).allMatch(of -> of.right && of.sequence == 9 && of.topic == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: {}x\n\n", "data: x\n\n", "data:  {}\n\n", "data\n\n", "data:\n\n", "data: {}\ndata: x\n\n", "data: {}\ndata\n\n",
        "data\ndata: {}\n\n"
      })
  void anotherMessageIsNotRight(String form) {
    String stream = PLAIN + form.replace("{}", text(message(9, new Random(1)), 64));
    for (int piece : new int[] {1, 7, 1_000}) {
      Heard heard = heard(codec(64, new Failures()), stream, piece);
      assertThat(heard.deliveries()).as("in pieces of %d", piece).hasSize(1).allMatch(of -> !of.right && of.topic == 0);
    }
  }

  @Test
  void everyLetterOfABodyIsVerified() {
    String right = text(message(12, new Random(1)), 77);
    for (int at = 0; at < right.length(); at++) {
      for (char letter : new char[] {'A', '_', '~', '\u00e4', ' '}) {
        if (letter != right.charAt(at)) {
          String wrong = right.substring(0, at) + letter + right.substring(at + 1);
          assertThat(heard(codec(77, new Failures()), PLAIN + "data: " + wrong + "\n\n", 30).deliveries())
              .as("'%s' at %d", letter, at).hasSize(1).allMatch(delivery -> !delivery.right);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 404 Not Found, Content-Length: 0|DECLINED|HTTP status 404 to the subscription",
        "HTTP/1.1 200 OK, Content-Length: 2|BROKEN|HTTP answer with a content-length, which no event stream has",
        "HTTP/1.1 101 Switching Protocols, Upgrade: x|BROKEN|HTTP answer without a status line of HTTP/1.1, or that switches to another protocol",
        "SSH-2.0-OpenSSH_9.2, x: y|BROKEN|HTTP answer that is not of HTTP/1.1"
      })
  void whatIsNoEventStreamIsTold(String head, Answer answer, String cause) {
    Failures failures = new Failures();
    String stream = head.replace(", ", "\r\n") + "\r\n\r\nno";
    assertThat(heard(codec(64, failures), stream, 1_000).answers()).startsWith(answer);
    assertThat(failures.snapshot()).containsKey(cause);
  }

  @Test
  void anEndOfTheStreamEndsTheConnection() {
    Failures failures = new Failures();
    Heard heard = heard(codec(64, failures), CHUNKED + chunk("data: " + text(message(0, new Random(1)), 64) + "\n\n") + "0\r\n\r\n", 1_000);
    assertThat(heard.answers()).containsExactly(Answer.RIGHT, Answer.ENDED);
    assertThat(heard.deliveries()).hasSize(1);
    assertThat(failures.snapshot()).containsKey(EventStreamCodec.STREAM_ENDED);
  }

  /** A read that ends with the message shows the stamp of its last byte: the line end of its chunk is taken with it, and all of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void theLineEndOfAChunkGoesWithItsMessage(String lineEnd) {
    String event = "data: " + text(message(0, new Random(1)), 64) + lineEnd + lineEnd;
    for (boolean chunked : new boolean[] {true, false}) {
      EventStreamCodec codec = codec(64, new Failures());
      heard(codec, chunked ? CHUNKED : PLAIN, 1_000);
      byte[] bytes = (chunked ? chunk(event) : event).getBytes(StandardCharsets.US_ASCII);
      assertThat(codec.take(1, 0, MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(bytes.length);
      assertThat(codec.delivery()).isNotNull();
    }
  }

  @Test
  void asksForTheStreamOfItsTopicInPiecesToo() {
    EventStreamCodec codec = codec(64, new Failures());
    int bytes = codec.requestBytes(1);
    MemorySegment out = Arena.ofAuto().allocate(bytes, 8);
    codec.request(out, 1, 0, 0, bytes);
    String whole = new String(out.toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
    assertThat(whole).startsWith("GET /subscribe?topic=0 HTTP/1.1\r\nHost: 127.0.0.1:9\r\n").endsWith("\r\n\r\n");
    StringBuilder pieces = new StringBuilder();
    for (int from = 0; from < bytes; from += 5) {
      int n = Math.min(5, bytes - from);
      codec.request(out, 1, 0, from, n);
      pieces.append(new String(out.asSlice(0, n).toArray(JAVA_BYTE), StandardCharsets.US_ASCII));
    }
    assertThat(pieces).hasToString(whole);
  }
}
