package echoladder.servers.floor;

import java.nio.charset.StandardCharsets;

/** Answers of HTTP/1.1 in whole. They have no Date: a server that keeps no clock sends none (RFC 9110, 6.6.1). */
final class Answers {
  private Answers() {}

  /**
   * A text.
   *
   * @param last whether the connection ends after it
   */
  static byte[] text(int status, String text, boolean last) {
    return of(status, last ? "Connection: close\r\n" : "", text);
  }

  /** A text as the last answer of its connection, with further headers, each with its CR LF. */
  static byte[] last(int status, String headers, String text) {
    return of(status, headers + "Connection: close\r\n", text);
  }

  private static byte[] of(int status, String headers, String text) {
    return ("HTTP/1.1 " + status + " " + reason(status) + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
            + text.length() + "\r\n" + headers + "\r\n" + text)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 413 -> "Content Too Large";
      case 417 -> "Expectation Failed";
      case 426 -> "Upgrade Required";
      case 431 -> "Request Header Fields Too Large";
      case 505 -> "HTTP Version Not Supported";
      default -> throw new IllegalArgumentException("no reason is known for the status " + status);
    };
  }

  /** Why a head was refused. */
  static String why(int status) {
    return switch (status) {
      case 417 -> "no expectation is met here, 100-continue neither\n";
      case 431 -> "the request's head is longer than is allowed\n";
      case 505 -> "HTTP/1.1 is spoken here\n";
      default -> "this is no request of HTTP/1.1, or could be read in two ways\n";
    };
  }
}
