package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.client.Tls;
import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TLS sessions of the connections of one event loop. Bytes go in and come out; no socket is known here. OpenSSL shakes hands. Over TLS
 * 1.3 its session is freed then, and {@link Records} goes on; over TLS 1.2 it stays, 25 to 45 KB while it is idle. Nothing is allocated
 * on the heap per message. Belongs to one thread.
 */
public final class TlsSessions implements AutoCloseable {
  /** What a call gives that cannot go on: {@link #failure} says why. */
  public static final int FAILED = Integer.MIN_VALUE;

  /** What {@link #read} gives where records are still to come. */
  public static final int NOTHING = -1;

  /** The most plaintext of a record. */
  public static final int RECORD_BYTES = 16 << 10;

  // RFC 8446, 5.1: how a record begins.
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int MAJOR = 3;
  private static final int CLIENT_HELLO = 1;
  private static final int RECORD_HEAD = 5;

  // How far a connection is: without a session, nothing heard yet, in its handshake, with messages, ended by the server.
  private static final byte NONE = 0;
  private static final byte SILENT = 1;
  private static final byte SHAKING = 2;
  private static final byte ESTABLISHED = 3;
  private static final byte ENDED = 4;

  private final TlsContext context;
  private final String serverName;
  // 0 = none, or its handshake is over and its records are made here.
  private final long[] ssl;
  private final byte[] stage;
  // Why a connection cannot go on, until it is forgotten.
  private final Map<Integer, String> broken = new HashMap<>();
  @SuppressWarnings("MustBeClosedChecker") // close() does it.
  private final Arena arena = Arena.ofShared();
  private final WaitingBytes in;
  private final WaitingBytes out;
  private final @Nullable Records records;
  private final @Nullable Resumption resumption;
  private boolean resumed;
  private String failure = "";

  /** Sessions of so many connections. An {@link IllegalArgumentException} has the text of {@link #complaint} where there can be none. */
  public TlsSessions(Tls tls, int connections) {
    context = TlsContext.of(tls);
    serverName = tls.serverName();
    ssl = new long[connections];
    stage = new byte[connections];
    in = new WaitingBytes(connections, arena);
    out = new WaitingBytes(connections, arena);
    resumption = tls.resumes() ? new Resumption() : null;
    records = tls.version().equals(Tls.LATEST) ? new Records(connections, in, out, resumption) : null;
  }

  /**
   * Why a load cannot have TLS on this host: OpenSSL is missing, or refuses what is asked; null where it can.
   *
   * @param tls as the load has it
   */
  public static @Nullable String complaint(Tls tls) {
    try (TlsContext _ = TlsContext.of(tls)) {
      return null;
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Offers that protocol by ALPN (RFC 7301) in handshakes to come. A server may choose it, or none. */
  public void offer(String protocol) {
    context.offer(protocol);
  }

  /** Whether a connection has a session in which messages may be sent. */
  public boolean established(int c) {
    return stage[c] >= ESTABLISHED;
  }

  /** Goes on with the handshake, and begins it where none was: 0, or {@link #FAILED}. */
  public int shake(int c) {
    try {
      if (stage[c] == NONE) {
        begin(c);
      }
      OpenSsl.ERR_CLEAR.invokeExact();
      context.secrets.forget();
      int r = (int) OpenSsl.DO_HANDSHAKE.invokeExact(ssl[c]);
      if (r == 1) {
        stage[c] = ESTABLISHED;
        resumed = resumption != null && resumption.shaken(ssl[c]);
        goOnByRecords(c);
        return 0;
      }
      int why = (int) OpenSsl.GET_ERROR.invokeExact(ssl[c], r);
      return why == OpenSsl.SSL_ERROR_WANT_READ || why == OpenSsl.SSL_ERROR_WANT_WRITE ? 0 : failed(inHandshake(c));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Whether the handshake that ended last was no full one: the server took a session of before. */
  public boolean resumed() {
    return resumed;
  }

  private void begin(int c) throws Throwable {
    long session = (long) OpenSsl.NEW.invokeExact(context.pointer);
    if (session == 0) {
      throw new OutOfMemoryError("SSL_new: " + OpenSsl.lastError());
    }
    ssl[c] = session;
    OpenSsl.SET_BIO.invokeExact(session, in.shared(c), out.shared(c));
    OpenSsl.SET_CONNECT_STATE.invokeExact(session);
    if (context.serverName != 0) {
      long _ = (long) OpenSsl.CTRL.invokeExact(session, OpenSsl.SSL_CTRL_SET_TLSEXT_HOSTNAME, 0L, context.serverName);
    }
    if (resumption != null) {
      resumption.offer(session);
    }
    stage[c] = SILENT;
  }

  /**
   * Frees OpenSSL's session, whose handshake is over. OpenSSL takes one record at a time out of {@link #in}, so all that came behind the
   * handshake is still there, and both directions begin with the first record of their application keys (RFC 8446, 5.3: number 0).
   */
  private void goOnByRecords(int c) throws Throwable {
    if (records == null || !context.secrets.known() || (int) OpenSsl.HAS_PENDING.invokeExact(ssl[c]) != 0) {
      return;
    }
    records.begin(c, context.secrets.client(), context.secrets.server());
    context.secrets.forget();
    if (resumption == null || !resumption.keeps(c, ssl[c])) {
      free(ssl[c]);
    }
    ssl[c] = 0;
    in.settle(c);
    out.settle(c);
  }

  /** Frees a session of OpenSSL as one that has ended well: else OpenSSL would not resume it. */
  static void free(long session) throws Throwable {
    OpenSsl.SET_SHUTDOWN.invokeExact(session, OpenSsl.SSL_SENT_AND_RECEIVED_SHUTDOWN);
    OpenSsl.FREE.invokeExact(session);
  }

  private @Nullable Records records(int c) {
    return ssl[c] == 0 ? records : null;
  }

  /**
   * Hands over bytes that came for a connection: 0, or {@link #FAILED} where they are no TLS at all.
   *
   * @param from native memory that stays as it is until {@link #read}, or the next call of this
   * @param bytes at least one, at the beginning of {@code from}
   */
  public int received(int c, MemorySegment from, int bytes) {
    if (stage[c] == SILENT && !begins(from, bytes)) {
      return failed("TLS: plain text in place of TLS: the server does not speak it at this port");
    }
    if (stage[c] == SILENT) {
      stage[c] = SHAKING;
    }
    if (records(c) == null) {
      in.add(c, from.address(), bytes);
    } else if (!ended(c)) {
      in.lend(c, from.address(), bytes);
    }
    return 0;
  }

  /** Whether this may be TLS of a server: a server that echoes sends the client's own greeting back. Looks at whole heads alone. */
  private static boolean begins(MemorySegment from, int bytes) {
    int type = from.get(ValueLayout.JAVA_BYTE, 0);
    boolean record = bytes < 2 || from.get(ValueLayout.JAVA_BYTE, 1) == MAJOR;
    boolean echo = type == HANDSHAKE && bytes > RECORD_HEAD && from.get(ValueLayout.JAVA_BYTE, RECORD_HEAD) == CLIENT_HELLO;
    return (type == ALERT || type == HANDSHAKE) && record && !echo;
  }

  /**
   * Opens records: bytes of plaintext, 0 where the server said that it ends, {@link #NOTHING} where a whole record is still to come, or
   * {@link #FAILED}. An end or a failure behind plaintext is told by the next call.
   *
   * @param to native memory, and not that of {@link #received}
   * @param room of it; enough for all that was received, and one record more
   */
  public int read(int c, MemorySegment to, int room) {
    if (broken(c)) {
      return FAILED;
    }
    if (stage[c] == ENDED) {
      return 0;
    }
    Records own = records(c);
    if (own == null) {
      return readByOpenSsl(c, to.address(), room);
    }
    int n = own.read(c, to, room);
    return told(c, n, own.ended(), own.cause());
  }

  private int readByOpenSsl(int c, long address, int room) {
    int n = 0;
    try {
      while (n < room) {
        int r = (int) OpenSsl.READ.invokeExact(ssl[c], address + n, room - n);
        if (r > 0) {
          n += r;
          continue;
        }
        int why = (int) OpenSsl.GET_ERROR.invokeExact(ssl[c], r);
        boolean more = why == OpenSsl.SSL_ERROR_WANT_READ;
        boolean end = why == OpenSsl.SSL_ERROR_ZERO_RETURN;
        return told(c, n, end, more || end ? null : error());
      }
      return n;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** What a read gives, with so many bytes of plaintext and what is behind them. */
  private int told(int c, int n, boolean end, @Nullable String cause) {
    if (cause != null) {
      broken.put(c, cause);
      return n == 0 ? failed(cause) : n;
    }
    if (end) {
      stage[c] = ENDED;
      return n;
    }
    return n == 0 ? NOTHING : n;
  }

  /** Whether a connection has failed, which {@link #failure} then says. */
  private boolean broken(int c) {
    String cause = broken.isEmpty() ? null : broken.get(c);
    if (cause == null) {
      return false;
    }
    failure = cause;
    return true;
  }

  /** Whether {@link #read} has more to tell, or holds a part of a record. */
  public boolean holdsMore(int c) {
    if (ended(c) || ssl[c] == 0) {
      return ended(c) || in.bytes(c) > 0;
    }
    try {
      return (int) OpenSsl.HAS_PENDING.invokeExact(ssl[c]) != 0;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Whether the next {@link #read} tells of an end without further bytes. */
  public boolean ended(int c) {
    return stage[c] == ENDED || (!broken.isEmpty() && broken.containsKey(c));
  }

  /**
   * Seals plaintext into one record: the bytes of it that were taken, or {@link #FAILED}.
   *
   * @param from native memory
   * @param bytes of it, at least one
   */
  public int seal(int c, MemorySegment from, int bytes) {
    if (broken(c)) {
      return FAILED;
    }
    Records own = records(c);
    if (own != null) {
      return own.seal(c, from.address(), bytes);
    }
    try {
      int r = (int) OpenSsl.WRITE.invokeExact(ssl[c], from.address(), Math.min(bytes, RECORD_BYTES));
      return r > 0 ? r : failed(error());
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Bytes that are to be sent on a connection; {@link #waitingAt} has them until the next call that concerns it. */
  public int waiting(int c) {
    return out.bytes(c);
  }

  /** Where the bytes are of which {@link #waiting} tells, where it tells of any. */
  public long waitingAt(int c) {
    return out.at(c);
  }

  /** So many of them were sent. */
  public void sent(int c, int bytes) {
    out.remove(c, bytes);
    if (ssl[c] == 0) {
      out.settle(c);
    }
  }

  /** Has the end of a connection said to the server, where it has come to messages. */
  public void sayEnd(int c) {
    if (stage[c] < ESTABLISHED) {
      return;
    }
    Records own = records(c);
    if (own != null) {
      // A session that has failed has said so.
      if (!broken(c)) {
        own.sayEnd(c);
      }
      return;
    }
    try {
      int _ = (int) OpenSsl.SHUTDOWN.invokeExact(ssl[c]);
      // A session that has failed cannot say it, and the error would be another session's.
      OpenSsl.ERR_CLEAR.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Forgets the session of a connection. */
  public void forget(int c) {
    if (stage[c] == NONE) {
      return;
    }
    stage[c] = NONE;
    if (!broken.isEmpty()) {
      broken.remove(c);
    }
    if (resumption != null) {
      resumption.forget(c);
    }
    in.forget(c);
    out.forget(c);
    if (ssl[c] == 0) {
      return;
    }
    try {
      free(ssl[c]);
      ssl[c] = 0;
      OpenSsl.ERR_CLEAR.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Why the last call failed, in words that are few. */
  public String failure() {
    return failure;
  }

  private int failed(String cause) {
    failure = cause;
    return FAILED;
  }

  private String inHandshake(int c) throws Throwable {
    long verified = (long) OpenSsl.GET_VERIFY_RESULT.invokeExact(ssl[c]);
    if (verified == OpenSsl.X509_V_ERR_HOSTNAME_MISMATCH || verified == OpenSsl.X509_V_ERR_IP_ADDRESS_MISMATCH) {
      OpenSsl.lastError();
      return "TLS: wrong name: the server's certificate is not for " + serverName;
    }
    if (verified != OpenSsl.X509_V_OK) {
      OpenSsl.lastError();
      return "TLS: wrong certificate: " + OpenSsl.text((long) OpenSsl.VERIFY_ERROR_STRING.invokeExact(verified));
    }
    return error();
  }

  /** The cause of a failure beyond certificates. */
  private static String error() throws Throwable {
    long error = (long) OpenSsl.ERR_PEEK.invokeExact();
    int reason = (int) error & OpenSsl.ERR_REASON_MASK;
    boolean alert = reason >= OpenSsl.SSL_AD_REASON_OFFSET && reason < OpenSsl.SSL_AD_REASON_OFFSET + 256;
    String text = OpenSsl.lastError();
    return alert ? alerted(reason) : "TLS: " + text;
  }

  /** The cause that an alert of the server is, by OpenSSL's reason for it; its number where OpenSSL has no name for it. */
  static String alerted(int reason) {
    try {
      String text = OpenSsl.text((long) OpenSsl.ERR_REASON.invokeExact((long) OpenSsl.ERR_LIB_SSL << OpenSsl.ERR_LIB_OFFSET | reason));
      String name = text.equals("-") ? "number " + (reason - OpenSsl.SSL_AD_REASON_OFFSET) : text.replaceFirst("^\\S+ alert ", "");
      return "TLS: alert from the server: " + name;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Buffers of OpenSSL that connections have: while bytes wait, or a session of its own uses them. */
  int buffers() {
    return in.held() + out.held();
  }

  /** Bytes this keeps in arrays, on the heap and off it; those of OpenSSL's sessions are many more. */
  public long arrayBytes() {
    return (8L + 1) * ssl.length + in.arrayBytes() + out.arrayBytes() + (records == null ? 0 : records.bytes());
  }

  /** Forgets all sessions. */
  @Override
  public void close() {
    for (int c = 0; c < ssl.length; c++) {
      forget(c);
    }
    if (records != null) {
      records.close();
    }
    if (resumption != null) {
      resumption.close();
    }
    context.close();
    arena.close();
  }
}
