package echoladder.servers.contract.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A frame of RFC 6455, good or bad.
 *
 * @param first its first byte: {@link #FIN}, three reserved bits, and the opcode
 * @param payload unmasked
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its bytes only
record Frame(int first, byte[] payload) {
  static final int FIN = 0x80;
  static final int MASKED = 0x80;
  static final int RESERVED = 0x70;
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /** The code of a close frame that has none. */
  static final int NO_CODE = 1005;

  /** The longest payload of a control frame. */
  static final int CONTROL_BYTES_MAX = 125;

  private static final byte[] KEY = {0x37, (byte) 0xfa, 0x21, 0x3d};

  static Frame text(String text) {
    return new Frame(FIN | TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A binary message of ASCII. */
  static Frame message(String ascii) {
    return binary(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  static Frame binary(byte[] payload) {
    return new Frame(FIN | BINARY, payload);
  }

  static Frame ping(byte[] payload) {
    return new Frame(FIN | PING, payload);
  }

  static Frame close(int code, String reason) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(code >>> 8);
    payload.write(code);
    payload.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
    return new Frame(FIN | CLOSE, payload.toByteArray());
  }

  int opcode() {
    return first & 0x0f;
  }

  boolean last() {
    return (first & FIN) != 0;
  }

  boolean control() {
    return opcode() >= CLOSE;
  }

  /** The status code of a close frame; {@link #NO_CODE} where it is empty. */
  int code() {
    return payload.length < 2 ? NO_CODE : ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
  }

  String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  /** As a client has to send it. */
  byte[] masked() {
    byte[] masked = payload.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= KEY[i % KEY.length];
    }
    return concat(head(first, payload.length, true), KEY, masked);
  }

  /** As no client may send it. */
  byte[] unmasked() {
    return concat(head(first, payload.length, false), payload);
  }

  /** What announces a payload of any length; of a masked one the key follows. */
  static byte[] head(int first, long length, boolean masked) {
    int mask = masked ? MASKED : 0;
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(first);
    if (length >= 0 && length <= CONTROL_BYTES_MAX) {
      head.write(mask | (int) length);
    } else if (length >= 0 && length < 1 << 16) {
      head.write(mask | 126);
      head.write((int) (length >>> 8));
      head.write((int) length);
    } else {
      head.write(mask | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        head.write((int) (length >>> shift));
      }
    }
    return head.toByteArray();
  }

  /** The head of a masked frame and its masking key, of a payload that is yet to come. */
  static byte[] announced(int first, long length) {
    return concat(head(first, length, true), KEY);
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** For messages: its beginning. */
  @Override
  public String toString() {
    return "frame 0x%02x of %d B %s".formatted(first, payload.length, Arrays.toString(Arrays.copyOf(payload, Math.min(payload.length, 16))));
  }
}
