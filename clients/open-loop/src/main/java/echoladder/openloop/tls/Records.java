package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.MEMORY;
import static echoladder.openloop.tls.RecordKeys.APPLICATION_DATA;
import static echoladder.openloop.tls.RecordKeys.HEAD_BYTES;
import static echoladder.openloop.tls.RecordKeys.TAG_BYTES;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What a client does with records of TLS 1.3 when a handshake is over (RFC 8446, 4.6, 5 and 6): application data goes in and out, tickets
 * are passed over, key updates are followed and answered, alerts are told. What waits in either direction is in the {@link WaitingBytes}
 * that the handshake has used before. Belongs to one thread.
 */
final class Records implements AutoCloseable {
  // RFC 8446, B.1: types of content.
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;

  // RFC 8446, B.3: types of handshake messages behind the handshake.
  private static final int NEW_SESSION_TICKET = 4;
  private static final int KEY_UPDATE = 24;

  // Type and length.
  private static final int MESSAGE_HEAD_BYTES = 4;

  // RFC 8446, B.2: levels and alerts.
  private static final byte WARNING = 1;
  private static final byte FATAL = 2;
  private static final byte CLOSE_NOTIFY = 0;
  private static final byte UNEXPECTED_MESSAGE = 10;
  private static final byte BAD_RECORD_MAC = 20;
  private static final byte RECORD_OVERFLOW = 22;
  private static final byte DECODE_ERROR = 50;
  private static final byte USER_CANCELED = 90;

  // RFC 8446, 5.1 and 5.2: the most that is in a record, and that again with type, padding and tag.
  private static final int CONTENT_BYTES = TlsSessions.RECORD_BYTES;
  private static final int BODY_BYTES = CONTENT_BYTES + 256;

  // A server that asks for key updates and reads no answer would have answers wait without end.
  private static final int MOST_WAITING_BYTES = 64 << 10;

  private final RecordKeys keys;
  private final WaitingBytes in;
  private final WaitingBytes out;
  private final @Nullable Resumption resumption;
  @SuppressWarnings("MustBeClosedChecker") // close() does it.
  private final Arena arena = Arena.ofShared();
  private final MemorySegment message = arena.allocate(MESSAGE_HEAD_BYTES + 1);
  private final long record = arena.allocate(HEAD_BYTES + BODY_BYTES, 64).address();
  private boolean ended;
  private @Nullable String cause;

  /**
   * Records of so many connections.
   *
   * @param resumption gets a copy of records that may have its ticket; null = tickets are passed over
   */
  Records(int connections, WaitingBytes in, WaitingBytes out, @Nullable Resumption resumption) {
    this.keys = new RecordKeys(connections);
    this.in = in;
    this.out = out;
    this.resumption = resumption;
  }

  /**
   * Begins at the end of a connection's handshake, before any record of application keys has gone either way.
   *
   * @param own this end's first application traffic secret, 32 B
   * @param peers the other end's
   */
  void begin(int c, byte[] own, byte[] peers) {
    keys.begin(c, own, peers);
  }

  /** Seals at most {@link TlsSessions#RECORD_BYTES} of those bytes into one record that waits to be sent: how many. */
  int seal(int c, long from, int bytes) {
    int content = Math.min(bytes, CONTENT_BYTES);
    // The record of before is where this one will be.
    out.keep();
    out.lend(c, record, keys.seal(c, APPLICATION_DATA, from, content, record));
    return content;
  }

  /** Seals a few bytes of {@link #message} that wait to be sent. */
  private void say(int c, int type, int bytes) {
    out.keep();
    out.add(c, record, keys.seal(c, type, message.address(), bytes, record));
  }

  private void alert(int c, byte level, byte alert) {
    message.set(JAVA_BYTE, 0, level);
    message.set(JAVA_BYTE, 1, alert);
    say(c, ALERT, 2);
  }

  /** Has close_notify said. */
  void sayEnd(int c) {
    alert(c, WARNING, CLOSE_NOTIFY);
  }

  /**
   * Opens the whole records that wait: bytes of application data. Behind them, {@link #ended} and {@link #cause} tell.
   *
   * @param to native memory in which nothing waits
   * @param room of it; a record whose body is longer than what is left of it waits on
   */
  int read(int c, MemorySegment to, int room) {
    ended = false;
    cause = null;
    int waiting = in.bytes(c);
    if (waiting == 0) {
      return 0;
    }
    long from = in.at(c);
    int at = 0;
    int n = 0;
    while (waiting - at >= HEAD_BYTES && !ended && cause == null) {
      int body = body(c, from + at);
      if (cause != null || waiting - at - HEAD_BYTES < body || room - n < body - TAG_BYTES) {
        break;
      }
      if (resumption != null && resumption.awaits(c)) {
        resumption.came(from + at, HEAD_BYTES + body);
      }
      int inner = keys.open(c, from + at, HEAD_BYTES + body, to.address() + n);
      at += HEAD_BYTES + body;
      n += inner < 0 ? refuse(c, BAD_RECORD_MAC, "decryption failed or bad record mac") : opened(c, to, n, inner);
    }
    in.remove(c, at);
    in.keep();
    in.settle(c);
    return n;
  }

  /** Length of what is behind the head of a record, which is looked at first: what is not sealed, or too long, is refused. */
  private int body(int c, long head) {
    int body = Byte.toUnsignedInt(MEMORY.get(JAVA_BYTE, head + 3)) << 8 | Byte.toUnsignedInt(MEMORY.get(JAVA_BYTE, head + 4));
    if (MEMORY.get(JAVA_BYTE, head) != APPLICATION_DATA) {
      return refuse(c, UNEXPECTED_MESSAGE, "plain text behind the handshake: a record that is not sealed");
    }
    if (body > BODY_BYTES) {
      return refuse(c, RECORD_OVERFLOW, "a record longer than TLS allows");
    }
    return body > TAG_BYTES ? body : refuse(c, DECODE_ERROR, "a record too short to be sealed");
  }

  /** Takes what was in a record: bytes of application data. */
  private int opened(int c, MemorySegment to, int from, int bytes) {
    int content = bytes - 1;
    while (content >= 0 && to.get(JAVA_BYTE, from + content) == 0) {
      content--;
    }
    if (content < 0) {
      return refuse(c, UNEXPECTED_MESSAGE, "a record of padding alone");
    }
    if (content > CONTENT_BYTES) {
      return refuse(c, RECORD_OVERFLOW, "a record longer than TLS allows");
    }
    int type = Byte.toUnsignedInt(to.get(JAVA_BYTE, from + content));
    return switch (type) {
      case APPLICATION_DATA -> content;
      case HANDSHAKE -> messages(c, to, from, content);
      case ALERT -> alerted(c, to, from, content);
      default -> refuse(c, UNEXPECTED_MESSAGE, "a record of unexpected type " + type);
    };
  }

  /** Takes handshake messages. A ticket may go on in the next record (RFC 8446, 5.1). */
  private int messages(int c, MemorySegment to, int from, int bytes) {
    if (bytes == 0) {
      return refuse(c, UNEXPECTED_MESSAGE, "an empty record of the handshake");
    }
    int at = Math.min(keys.skipped(c), bytes);
    keys.skipped(c, keys.skipped(c) - at);
    while (at < bytes) {
      if (bytes - at < MESSAGE_HEAD_BYTES) {
        return refuse(c, UNEXPECTED_MESSAGE, "the head of a handshake message in two records");
      }
      int type = Byte.toUnsignedInt(to.get(JAVA_BYTE, from + at));
      int length = 0;
      for (int i = 1; i < MESSAGE_HEAD_BYTES; i++) {
        length = length << 8 | Byte.toUnsignedInt(to.get(JAVA_BYTE, from + at + i));
      }
      at += MESSAGE_HEAD_BYTES;
      if (type == KEY_UPDATE) {
        int asked = length == 1 && bytes - at == 1 ? to.get(JAVA_BYTE, from + at) : -1;
        return updated(c, asked);
      }
      if (type != NEW_SESSION_TICKET) {
        return refuse(c, UNEXPECTED_MESSAGE, "an unexpected handshake message of type " + type);
      }
      int here = Math.min(length, bytes - at);
      at += here;
      keys.skipped(c, length - here);
    }
    return 0;
  }

  /**
   * The other end has gone on to its next keys (RFC 8446, 4.6.3).
   *
   * @param asked 1 = this end has to do so too, 0 = it need not, else the message is none
   */
  private int updated(int c, int asked) {
    if (asked != 0 && asked != 1) {
      return refuse(c, DECODE_ERROR, "a key update that does not end its record");
    }
    if (asked == 1 && out.bytes(c) > MOST_WAITING_BYTES) {
      return refuse(c, UNEXPECTED_MESSAGE, "key updates asked for whose answers the server does not read");
    }
    keys.updatePeers(c);
    if (asked == 1) {
      message.set(JAVA_BYTE, 0, (byte) KEY_UPDATE);
      message.set(JAVA_BYTE, 1, (byte) 0);
      message.set(JAVA_BYTE, 2, (byte) 0);
      message.set(JAVA_BYTE, 3, (byte) 1);
      message.set(JAVA_BYTE, 4, (byte) 0);
      say(c, HANDSHAKE, MESSAGE_HEAD_BYTES + 1);
      keys.updateOwn(c);
    }
    return 0;
  }

  /** Takes an alert. All but two are errors, whatever their level (RFC 8446, 6); nothing is said after them. */
  private int alerted(int c, MemorySegment to, int from, int bytes) {
    if (bytes != 2) {
      return refuse(c, DECODE_ERROR, "an alert that is not two bytes long");
    }
    int alert = Byte.toUnsignedInt(to.get(JAVA_BYTE, from + 1));
    if (alert == CLOSE_NOTIFY) {
      ended = true;
    } else if (alert != USER_CANCELED) {
      cause = TlsSessions.alerted(OpenSsl.SSL_AD_REASON_OFFSET + alert);
    }
    return 0;
  }

  /** The connection cannot go on: this end says so by an alert, and no bytes came. */
  private int refuse(int c, byte alert, String why) {
    alert(c, FATAL, alert);
    cause = "TLS: " + why;
    return 0;
  }

  /** Whether the last {@link #read} found that the server ends. */
  boolean ended() {
    return ended;
  }

  /** Why the connection cannot go on behind the last {@link #read}; null where it can. */
  @Nullable String cause() {
    return cause;
  }

  /** Bytes that are kept of the connections. */
  long bytes() {
    return keys.bytes();
  }

  @Override
  public void close() {
    keys.close();
    arena.close();
  }
}
