package echoladder.openloop.codec;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the head of an answer says of its body, in every way in which RFC 9110 and RFC 9112 let a server write it. */
class HttpHeadTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  /** As a table has it: {@code \r}, {@code \n} and {@code \t} stand for themselves. */
  private static String unescaped(String text) {
    return text.translateEscapes();
  }

  private static HttpHead read(String head) {
    HttpHead read = new HttpHead();
    byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
    read.read(MemorySegment.ofArray(bytes), 0, bytes.length);
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked",
        "Transfer-Encoding:chunked",
        "Transfer-Encoding: chunked ",
        "Transfer-Encoding: chunked\\t \\t",
        "Transfer-Encoding:\\tchunked",
        "Transfer-Encoding: \\t Chunked",
        "TRANSFER-ENCODING: CHUNKED",
        "Transfer-Encoding: , chunked,",
        "Transfer-Encoding:\\r\\n chunked",
        "X: y\\r\\n folded\\r\\nTransfer-Encoding: chunked",
        "Server:\\r\\nTransfer-Encoding: chunked\\r\\nVia: a",
      })
  void aBodyInChunksIsToldInAnyCaseAndWithAnyWhiteSpace(String header) {
    HttpHead head = read(OK + unescaped(header) + "\r\n\r\n");
    assertThat(head.fault()).isNull();
    assertThat(head.chunked()).isTrue();
    assertThat(head.last()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 40",
        "content-length:40",
        "Content-Length:\\t40 \\t",
        "Content-Length: 0040",
        "Content-Length:\\r\\n\\t40",
        "Content-Length: 40, 40",
        "Content-Length: 40 ,\\t40",
        "Content-Length: 40\\r\\nContent-Length: 40",
        "X: a\\r\\n Transfer-Encoding: chunked\\r\\nContent-Length: 40",
        "X-Transfer-Encoding: chunked\\r\\nContent-Length: 40",
      })
  void aLengthIsTold(String header) {
    HttpHead head = read(OK + unescaped(header) + "\r\n\r\n");
    assertThat(head.fault()).isNull();
    assertThat(head.chunked()).isFalse();
    assertThat(head.length()).isEqualTo(40);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Connection: close|true",
        "Connection:\\tclose|true",
        "Connection: close \\t|true",
        "Connection: Close|true",
        "Connection: Keep-Alive, Close|true",
        "Connection: Keep-Alive,\\tclose , x|true",
        "Connection: ,,close|true",
        "Connection: keep-alive\\r\\nConnection: close|true",
        "Connection: keep-alive|false",
        "Connection: closed|false",
        "Connection: close-notify|false",
        "Connection: not close|false",
        "Connection:|false",
        "X-Connection: close|false",
        "Proxy-Connection: close|false",
        "Via: a\\r\\n Connection: close|false",
        "Server: x|false",
      })
  void theLastAnswerOfAConnectionIsToldByOneOptionOfAList(String header, boolean last) {
    HttpHead head = read(OK + unescaped(header) + "\r\nContent-Length: 40\r\n\r\n");
    assertThat(head.last()).isEqualTo(last);
    assertThat(head.length()).isEqualTo(40);
    assertThat(head.fault()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length:",
        "Content-Length: many",
        "Content-Length: -1",
        "Content-Length: +40",
        "Content-Length: 4 0",
        "Content-Length: 40,",
        "Content-Length: ,40",
        "Content-Length: 40;40",
        "Content-Length: 40, 41",
        "Content-Length: 0x28",
        "Content-Length: 40\\r\\nContent-Length: 41",
        "Content-Length: 40\\r\\nContent-Length:",
        "Content-Length: 99999999999999999999999999",
        "Content-Length: 18446744073709551656",
        "Content-Length : 40",
        "Content-Length\\t: 40",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunkedx",
        "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: gzip\\r\\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\\r\\nContent-Length: 40",
        "Content-Length: 40\\r\\nTransfer-Encoding:\\tChunked",
      })
  void whatLeavesTheEndOfTheBodyToGuessingIsAFault(String header) {
    assertThat(read(OK + unescaped(header) + "\r\n\r\n").fault()).isNotNull();
  }

  @Test
  void withoutEitherTheBodyLastsUntilTheEnd() {
    HttpHead head = read(OK + "Server: x\r\n\r\n");
    assertThat(head.fault()).isNull();
    assertThat(head.length()).isEqualTo(-1);
    assertThat(head.chunked()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 200 OK|200",
        "HTTP/1.1 200 |200",
        "HTTP/1.1 200|200",
        "HTTP/1.1 204 No Content|204",
        "HTTP/1.1 2000 OK|-1",
        "HTTP/1.1 20 OK|-1",
        "HTTP/1.1 2x0 OK|-1",
        "HTTP/1.1 -20 OK|-1",
        "HTTP/1.1  200 OK|-1",
        "HTTP/1.0 200 OK|-1",
        "HTTP/2 200|-1",
        "SSH-2.0-OpenSSH_9.2|-1",
      })
  void theStatusHasThreeDigits(String line, int status) {
    assertThat(read(line + "\r\nContent-Length: 40\r\n\r\n").status()).isEqualTo(status);
  }

  /** An answer of which no header is complete says nothing, and no byte behind its end is looked at. */
  @Test
  void nothingBehindTheEndIsLookedAt() {
    String head = OK + "Content-Length: 40\r\n\r\n";
    byte[] more = (head + "Connection: close\r\nContent-Length: 41\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    HttpHead read = new HttpHead();
    read.read(MemorySegment.ofArray(more), 0, head.length());
    assertThat(read.last()).isFalse();
    assertThat(read.length()).isEqualTo(40);
    read.read(MemorySegment.ofArray(more), 0, OK.length() + 2);
    assertThat(read.length()).isEqualTo(-1);
  }

  /** No header decides on a body that an answer of that status cannot have (RFC 9112, 6.3). */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: x\r\n"})
  void anAnswerWithoutContentEndsWithItsHead(String header) {
    Failures failures = new Failures();
    HttpCodec codec = new HttpCodec(1, new RequestTalk(new HttpAsk("/", "GET / HTTP/1.1\r\n\r\n", 204)), failures);
    byte[] bytes = ("HTTP/1.1 204 No Content\r\n" + header + "\r\n").getBytes(StandardCharsets.US_ASCII);
    assertThat(codec.take(0, 1, MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(bytes.length);
    assertThat(codec.complete()).isTrue();
    assertThat(codec.answer()).isEqualTo(Answer.RIGHT);
    assertThat(failures.snapshot()).isEmpty();
  }
}
