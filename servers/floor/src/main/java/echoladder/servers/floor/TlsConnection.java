package echoladder.servers.floor;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.HandshakeSecrets;
import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one connection, by OpenSSL in memory. Bytes that came go into one memory BIO, bytes to be sent come out of another, and no
 * socket is known here. So a write never waits for room. Belongs to its loop.
 */
final class TlsConnection {
  /** {@link #read} has nothing until more comes. */
  static final int NOTHING = -1;

  /** The connection cannot go on; an alert that says why may wait to be sent. */
  static final int FAILED = -2;

  // RFC 8446, 5.1: the head of a record, and where the length of what follows stands in it.
  private static final int RECORD_HEAD = 5;
  private static final int RECORD_LENGTH_AT = 3;
  private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** When its handshake has to be over, on the clock of {@link System#nanoTime}. */
  final long shakenByNs;

  final int fd;

  /** The socket takes no more; nothing is read until what waits is gone. */
  boolean blocked;

  /** The connection ends when what waits is gone. */
  boolean ending;

  /** Bytes of echoes that were sealed and are not sent yet. */
  int owedBytes;

  /** Where reads of its handshake end; after that one nothing asks. */
  final RecordEnd record = new RecordEnd();

  private final OpenSslContext context;
  private final long ssl;
  private final long in;
  private final long out;
  private boolean open;
  private boolean freed;
  private @Nullable HandshakeSecrets secrets;
  private int sealedRecords;

  TlsConnection(OpenSslContext context, int fd, long shakenByNs) {
    this.context = context;
    this.fd = fd;
    this.shakenByNs = shakenByNs;
    try {
      long memory = (long) OpenSsl.BIO_S_MEM.invokeExact();
      ssl = (long) OpenSsl.NEW.invokeExact(context.pointer);
      in = (long) OpenSsl.BIO_NEW.invokeExact(memory);
      out = (long) OpenSsl.BIO_NEW.invokeExact(memory);
      if (ssl == 0 || in == 0 || out == 0) {
        throw new OutOfMemoryError("SSL_new: " + OpenSsl.lastError());
      }
      // SSL_free frees both.
      OpenSsl.SET_BIO.invokeExact(ssl, in, out);
      OpenSsl.SET_ACCEPT_STATE.invokeExact(ssl);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Has the secrets of its handshake kept, for {@link #keysOfRecords}. To be called before the handshake begins. */
  void keepSecrets() {
    secrets = context.secretsOf(ssl);
  }

  /** Whether its handshake is over. */
  boolean open() {
    return open;
  }

  /** Whether nothing bounds it any more: it is open, or has ended. */
  boolean settled() {
    return open || freed;
  }

  /** Takes bytes that came. */
  void came(MemorySegment from, int bytes) {
    try {
      forgetErrors();
      if ((int) OpenSsl.BIO_WRITE.invokeExact(in, from.address(), bytes) != bytes) {
        throw new OutOfMemoryError("BIO_write of " + bytes + " bytes");
      }
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Forgets errors of this thread: SSL_get_error(3) takes any of them for that of the call before, on whatever connection. */
  private static void forgetErrors() throws Throwable {
    if ((long) OpenSsl.ERR_PEEK.invokeExact() != 0) {
      OpenSsl.ERR_CLEAR.invokeExact();
    }
  }

  /**
   * Goes on with the handshake; false where it has failed. Nothing may wait to be sent.
   *
   * @param at memory that nobody needs, 8 B
   */
  boolean shake(MemorySegment at) {
    try {
      int r = (int) OpenSsl.DO_HANDSHAKE.invokeExact(ssl);
      open = r == 1;
      if (open) {
        sealedRecords = records(waiting(at), address(at));
      }
      boolean goesOn = open || (int) OpenSsl.GET_ERROR.invokeExact(ssl, r) == OpenSsl.SSL_ERROR_WANT_READ;
      // A handshake that is over may leave errors too.
      forgetErrors();
      return goesOn;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** How many records there are in memory. */
  private static int records(int bytes, long address) {
    int records = 0;
    for (int i = 0; i + RECORD_HEAD <= bytes; records++) {
      i += RECORD_HEAD + (OpenSsl.MEMORY.get(NETWORK_SHORT, address + i + RECORD_LENGTH_AT) & 0xffff);
    }
    return records;
  }

  /**
   * The secrets for who makes and reads this connection's records from here on; null where that is OpenSSL: as they were not kept, by
   * the version or cipher, or because OpenSSL holds bytes that came behind the handshake.
   *
   * @param at memory that nobody needs, 8 B
   */
  @Nullable HandshakeSecrets keysOfRecords(MemorySegment at) {
    if (secrets == null) {
      return null;
    }
    try {
      boolean held =
          (int) OpenSsl.HAS_PENDING.invokeExact(ssl) != 0
              || (long) OpenSsl.BIO_CTRL.invokeExact(in, OpenSsl.BIO_CTRL_INFO, 0L, at.address()) != 0;
      int cipher = (int) OpenSsl.CIPHER_GET_ID.invokeExact((long) OpenSsl.GET_CURRENT_CIPHER.invokeExact(ssl));
      HandshakeSecrets own = !held && cipher == OpenSsl.TLS_AES_128_GCM_SHA256 && secrets.known() ? secrets : null;
      secrets = null;
      return own;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Records that OpenSSL has sealed with the keys of application data in the handshake: its tickets. */
  int sealedRecords() {
    return sealedRecords;
  }

  /** Opens what came: bytes of one record at most, 0 where the peer said that it ends, {@link #NOTHING} or {@link #FAILED}. */
  int read(MemorySegment to) {
    try {
      int r = (int) OpenSsl.READ.invokeExact(ssl, to.address(), (int) to.byteSize());
      if (r > 0) {
        return r;
      }
      int why = (int) OpenSsl.GET_ERROR.invokeExact(ssl, r);
      if (why == OpenSsl.SSL_ERROR_WANT_READ) {
        return NOTHING;
      }
      OpenSsl.ERR_CLEAR.invokeExact();
      return why == OpenSsl.SSL_ERROR_ZERO_RETURN ? 0 : FAILED;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Seals bytes of an echo; false where that failed. */
  boolean seal(MemorySegment from, int bytes) {
    try {
      int r = (int) OpenSsl.WRITE.invokeExact(ssl, from.address(), bytes);
      if (r != bytes) {
        OpenSsl.ERR_CLEAR.invokeExact();
        return false;
      }
      owedBytes += bytes;
      return true;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Says close_notify, behind all that was sealed. */
  void sayEnd() {
    try {
      int _ = (int) OpenSsl.SHUTDOWN.invokeExact(ssl);
      OpenSsl.ERR_CLEAR.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * How many bytes are to be sent.
   *
   * @param at where their address comes, 8 B
   */
  int waiting(MemorySegment at) {
    try {
      return (int) (long) OpenSsl.BIO_CTRL.invokeExact(out, OpenSsl.BIO_CTRL_INFO, 0L, at.address());
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Address that {@link #waiting} has put there. */
  static long address(MemorySegment at) {
    return at.get(ValueLayout.JAVA_LONG, 0);
  }

  /**
   * Forgets the first of the bytes to be sent: they were sent.
   *
   * @param scratch memory that nobody needs
   */
  void sent(int bytes, MemorySegment scratch) {
    try {
      for (int left = bytes; left > 0; left -= (int) scratch.byteSize()) {
        int some = (int) Math.min(left, scratch.byteSize());
        int _ = (int) OpenSsl.BIO_READ.invokeExact(out, scratch.address(), some);
      }
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Frees OpenSSL's session and its memory. Nothing else may be called after it but {@link #settled}. */
  void free() {
    freed = true;
    context.forget(ssl);
    try {
      OpenSsl.FREE.invokeExact(ssl);
      OpenSsl.ERR_CLEAR.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }
}
