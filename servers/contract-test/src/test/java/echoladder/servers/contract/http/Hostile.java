package echoladder.servers.contract.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A request that two readers could read in two ways, and another one behind it, which a server must not take for a
 * request of its own where the first one has swallowed it, nor the other way round.
 *
 * @param name what is wrong with it, by the section of RFC 9112 (or 9110)
 * @param text as sent
 * @param also what a server, by its name, does otherwise; docs/decisions/http-hostile-requests.md says why
 */
record Hostile(String name, String text, Map<String, Outcome> also) {
  /** What came of it. */
  enum Outcome {
    /** One answer 4xx, 501 or 505 and the end, or the end alone. */
    REFUSED,
    /** One answer 200, and the end: what stands behind was not taken for a request. */
    ANSWERED_AND_CLOSED,
    /** Both requests were answered: the first one was read in the way that the RFC allows. */
    ANSWERED_BOTH,
    /** Something else: the two requests were told apart in a wrong place. */
    OTHER
  }

  /**
   * What a server sent until it closed.
   *
   * @param statuses of its answers
   */
  record Seen(Outcome outcome, String statuses) {
    static Seen of(String all) {
      StringBuilder statuses = new StringBuilder();
      var line = Pattern.compile("HTTP/1\\.1 (\\d{3})").matcher(all);
      while (line.find()) {
        statuses.append(line.group(1)).append(' ');
      }
      String told = statuses.toString().strip();
      Outcome outcome =
          switch (told) {
            case "", "400", "404", "405", "413", "431", "501", "505" -> Outcome.REFUSED;
            case "200" -> Outcome.ANSWERED_AND_CLOSED;
            case "200 200" -> Outcome.ANSWERED_BOTH;
            default -> Outcome.OTHER;
          };
      return new Seen(outcome, told);
    }
  }

  private static final String GO = "go-http";
  private static final String JDK = "jdk-http";
  private static final String MICRONAUT = "micronaut-http";
  private static final String HELIDON = "helidon-http";

  private static final String NEXT = "GET /api/light HTTP/1.1\r\nHost: t\r\n\r\n";

  static Stream<Hostile> all() {
    return Stream.of(
        post("transfer-encoding and content-length (6.1, 6.3)", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n")
            .but(GO, Outcome.ANSWERED_BOTH),
        post("content-length and transfer-encoding (6.1, 6.3)", "Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n")
            .but(GO, Outcome.ANSWERED_BOTH),
        post("two different content-lengths (6.3)", "Content-Length: 5\r\nContent-Length: 0", "abcde"),
        post("a list of different content-lengths (6.3)", "Content-Length: 5, 0", "abcde"),
        post("two equal content-lengths (6.3)", "Content-Length: 5\r\nContent-Length: 5", "abcde")
            .but(GO, Outcome.ANSWERED_BOTH),
        post("content-length with a sign (9110, 8.6)", "Content-Length: +5", "abcde"),
        post("content-length with a blank within (9110, 8.6)", "Content-Length: 5 0", "abcde"),
        post("content-length in hex (9110, 8.6)", "Content-Length: 0x5", "abcde"),
        post("content-length beyond 64 bits (9110, 8.6)", "Content-Length: 18446744073709551621", "abcde"),
        post("empty content-length (9110, 8.6)", "Content-Length:", "abcde"),
        post("unknown transfer-encoding (6.1)", "Transfer-Encoding: cow", "0\r\n\r\n"),
        post("another coding before chunked (6.1)", "Transfer-Encoding: gzip, chunked", "5\r\nabcde\r\n0\r\n\r\n"),
        post("another coding in a line before chunked (6.1)", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "5\r\nabcde\r\n0\r\n\r\n"),
        post("chunked not last (6.1)", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
        post("chunked twice (6.1)", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        post("chunked behind a vertical tab (5)", "Transfer-Encoding: \013chunked", "0\r\n\r\n")
            .but(JDK, Outcome.ANSWERED_BOTH),
        post("a blank before the colon (5.1)", "Transfer-Encoding : chunked\r\nContent-Length: 5", "0\r\n\r\n"),
        post("a folded header (5.2)", "X: a\r\n b\r\nContent-Length: 5", "abcde")
            .but(GO, Outcome.ANSWERED_BOTH)
            .but(JDK, Outcome.ANSWERED_BOTH)
            .but(MICRONAUT, Outcome.ANSWERED_BOTH),
        post("a folded transfer-encoding (5.2)", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5", "0\r\n\r\n")
            .but(GO, Outcome.ANSWERED_BOTH),
        post("a first header that is folded (2.2)", " X: a\r\nContent-Length: 5", "abcde")
            .but(JDK, Outcome.ANSWERED_BOTH)
            .but(MICRONAUT, Outcome.ANSWERED_BOTH),
        post("NUL in a value (9110, 5.5)", "X: a\0b\r\nContent-Length: 5", "abcde"),
        post("CR in a value (2.2)", "X: a\rContent-Length: 0\r\nContent-Length: 5", "abcde"),
        post("LF alone ends a line (2.2)", "X: a\nContent-Length: 5", "abcde")
            .but(GO, Outcome.ANSWERED_BOTH)
            .but(JDK, Outcome.ANSWERED_BOTH),
        post("a header without a colon (5)", "X a\r\nContent-Length: 5", "abcde"),
        post("a header without a name (5)", ": a\r\nContent-Length: 5", "abcde")
            .but(HELIDON, Outcome.ANSWERED_BOTH),
        post("a chunk size with a sign (7.1)", "Transfer-Encoding: chunked", "+5\r\nabcde\r\n0\r\n\r\n")
            .but(HELIDON, Outcome.ANSWERED_BOTH),
        post("a chunk size in 0x (7.1)", "Transfer-Encoding: chunked", "0x5\r\nabcde\r\n0\r\n\r\n"),
        post("a chunk size beyond 64 bits (7.1)", "Transfer-Encoding: chunked", "10000000000000005\r\nabcde\r\n0\r\n\r\n"),
        post("a chunk size beyond 32 bits (7.1)", "Transfer-Encoding: chunked", "100000005\r\nabcde\r\n0\r\n\r\n"),
        post("no chunk size (7.1)", "Transfer-Encoding: chunked", "\r\nabcde\r\n0\r\n\r\n"),
        post("a chunk longer than its size (7.1)", "Transfer-Encoding: chunked", "2\r\nabcde\r\n0\r\n\r\n"),
        post("LF alone ends a chunk's size (7.1)", "Transfer-Encoding: chunked", "5\nabcde\r\n0\r\n\r\n"),
        post("LF alone ends a chunk (7.1)", "Transfer-Encoding: chunked", "5\r\nabcde\n0\r\n\r\n"),
        post("CR alone within a chunk's extension (7.1.1)", "Transfer-Encoding: chunked", "5;a\rb\r\nabcde\r\n0\r\n\r\n")
            .but(JDK, Outcome.ANSWERED_BOTH),
        post("LF within a chunk's extension (7.1.1)", "Transfer-Encoding: chunked", "5;a\nabcde\r\n0\r\n\r\n"),
        post("a broken trailer (7.1.2)", "Transfer-Encoding: chunked", "0\r\nno colon\r\n\r\n"),
        plain("no host (3.2)", "GET /api/light HTTP/1.1\r\n\r\n"),
        plain("two hosts (3.2)", "GET /api/light HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n"),
        plain("a body of GET (9110, 9.3.1)", "GET /api/light HTTP/1.1\r\nHost: t\r\nContent-Length: 36\r\n\r\n" + NEXT)
            .but(HELIDON, Outcome.ANSWERED_BOTH)
            .but(GO, Outcome.ANSWERED_BOTH)
            .but(JDK, Outcome.ANSWERED_BOTH)
            .but(MICRONAUT, Outcome.ANSWERED_BOTH),
        plain("HTTP/1.0 with chunks (6.1)", "POST /echo HTTP/1.0\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            .but(JDK, Outcome.ANSWERED_AND_CLOSED),
        plain("an unknown version (2.3)", "GET /api/light HTTP/9.9\r\nHost: t\r\n\r\n")
            .but(MICRONAUT, Outcome.ANSWERED_AND_CLOSED),
        plain("no version (3)", "GET /api/light\r\nHost: t\r\n\r\n"),
        plain("a blank in the target (3.2)", "GET /api/ light HTTP/1.1\r\nHost: t\r\n\r\n"),
        plain("a preface of HTTP/2 (9113, 3.4)", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
  }

  private static Hostile post(String name, String headers, String body) {
    return plain(name, "POST /echo HTTP/1.1\r\nHost: t\r\n" + headers + "\r\n\r\n" + body);
  }

  private static Hostile plain(String name, String first) {
    return new Hostile(name, first + NEXT, Map.of());
  }

  /** This request, and what one more server does with it. */
  private Hostile but(String server, Outcome outcome) {
    Map<String, Outcome> more = new TreeMap<>(also);
    more.put(server, outcome);
    return new Hostile(name, text, Map.copyOf(more));
  }

  /** What that server does: what is listed, so that a list that is out of date is found out. */
  Outcome expected(String server) {
    return also.getOrDefault(server, Outcome.REFUSED);
  }

  @Override
  public String toString() {
    return name;
  }
}
