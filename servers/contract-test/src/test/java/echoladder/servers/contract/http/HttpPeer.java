package echoladder.servers.contract.http;

import echoladder.servers.contract.Peer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A client that understands HTTP/1.1 answers, with their bodies. */
final class HttpPeer extends Peer {
  private int chunkLeft;

  HttpPeer(int port) throws IOException {
    super(new InetSocketAddress("127.0.0.1", port), 0);
  }

  /**
   * An answer.
   *
   * @param headers names in lower case
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by its bytes only
  record Answer(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    boolean closes() {
      return "close".equalsIgnoreCase(headers.getOrDefault("connection", ""));
    }
  }

  void get(String path) throws IOException {
    send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** To /echo, by content-length. */
  static byte[] post(byte[] body) {
    return post("/echo", body);
  }

  /** By content-length. */
  static byte[] post(String target, byte[] body) {
    return concat(ascii("POST " + target + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length + "\r\n\r\n"), body);
  }

  /** In chunks of at most so many bytes. */
  static byte[] postChunked(byte[] body, int chunkBytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(body.length + 1024);
    all.writeBytes(ascii("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"));
    for (int at = 0; at < body.length; at += chunkBytes) {
      int n = Math.min(chunkBytes, body.length - at);
      all.writeBytes(ascii(Integer.toHexString(n) + "\r\n"));
      all.write(body, at, n);
      all.writeBytes(ascii("\r\n"));
    }
    all.writeBytes(ascii("0\r\n\r\n"));
    return all.toByteArray();
  }

  private static byte[] concat(byte[] a, byte[] b) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(a.length + b.length);
    all.writeBytes(a);
    all.writeBytes(b);
    return all.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The next answer; EOFException where the server closed instead. */
  Answer answer() throws IOException {
    Head head = head("1\\.1");
    if (head.status() / 100 == 1) {
      return answer();
    }
    return new Answer(head.status(), head.headers(), body(head.headers()));
  }

  /** Subscribes to events, which come when they are published. */
  void subscribe(String target) throws IOException {
    get(target);
    Head head = head("1\\.1");
    if (head.status() != 200 || !"chunked".equalsIgnoreCase(head.header("transfer-encoding"))) {
      throw new IOException("no event stream: " + head);
    }
  }

  /** The next so many bytes of a stream in chunks. */
  byte[] streamed(int n) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (all.size() < n) {
      if (chunkLeft == 0) {
        chunkLeft = chunkBytes();
        if (chunkLeft == 0) {
          throw new EOFException("the stream ended after " + all.size() + " of " + n + " bytes");
        }
      }
      byte[] part = exactly(Math.min(chunkLeft, n - all.size()));
      all.writeBytes(part);
      chunkLeft -= part.length;
      if (chunkLeft == 0) {
        line();
      }
    }
    return all.toByteArray();
  }

  /** Whether more comes; false where the server closes or resets the connection instead. SocketTimeoutException where it does neither. */
  boolean goesOn() throws IOException {
    try {
      return in.read() >= 0;
    } catch (SocketException e) {
      return false;
    }
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int n = chunkBytes(); n > 0; n = chunkBytes()) {
        all.writeBytes(exactly(n));
        line();
      }
      line();
      return all.toByteArray();
    }
    String length = headers.get("content-length");
    if (length == null && "close".equalsIgnoreCase(headers.get("connection"))) {
      return untilClosed();
    }
    if (length == null) {
      throw new IOException("neither content-length nor chunks nor close: " + headers);
    }
    return exactly(Integer.parseInt(length));
  }

  private int chunkBytes() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int n) throws IOException {
    byte[] bytes = in.readNBytes(n);
    if (bytes.length < n) {
      throw new EOFException("closed after " + bytes.length + " of " + n + " bytes");
    }
    return bytes;
  }
}
