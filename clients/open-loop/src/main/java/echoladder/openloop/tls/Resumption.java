package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.Arena;

/**
 * The session that new connections of one event loop offer to the server: that of one handshake, for as long as the server takes it. A
 * session serves several connections, which RFC 8446 (C.4) advises against for privacy alone. Over TLS 1.3 the ticket of a session comes
 * behind the handshake. So OpenSSL opens a copy of the first records of one connection, until it has the ticket. Belongs to one thread.
 */
final class Resumption implements AutoCloseable {
  // Servers send tickets before or with their first data.
  private static final int MOST_RECORDS = 8;

  private static final int NOBODY = -1;

  // Where OpenSSL keeps for each of its sessions, behind their own data, which session was offered.
  private static final int OFFERED = 0;

  @SuppressWarnings("MustBeClosedChecker") // close() does it.
  private final Arena arena = Arena.ofShared();
  private final long plain = arena.allocate(TlsSessions.RECORD_BYTES).address();
  // SSL_SESSION; 0 = none.
  private long session;
  // Of the session, or of the last one; the first is 1.
  private long number;
  // The connection whose ticket is awaited, OpenSSL's session of it, where its records go, and how many went there.
  private int awaited = NOBODY;
  private long ssl;
  private long in;
  private int records;

  /** Offers the session, where there is one, in a handshake that has not begun. */
  void offer(long handshake) throws Throwable {
    // OpenSSL resumes no session in which a fatal alert was sent or came.
    if (session != 0 && (int) OpenSsl.SESSION_IS_RESUMABLE.invokeExact(session) == 0) {
      drop();
    }
    if (session != 0 && (int) OpenSsl.SET_SESSION.invokeExact(handshake, session) == 1) {
      int _ = (int) OpenSsl.SET_EX_DATA.invokeExact(handshake, OFFERED, number);
    }
  }

  /** Whether a handshake that is over has resumed a session. One that was offered and not taken is offered no more. */
  boolean shaken(long handshake) throws Throwable {
    boolean resumed = (int) OpenSsl.SESSION_REUSED.invokeExact(handshake) == 1;
    if (!resumed && (long) OpenSsl.GET_EX_DATA.invokeExact(handshake, OFFERED) == number) {
      drop();
    }
    // Over TLS 1.2 the ticket is there by now.
    take(handshake);
    return resumed;
  }

  /** Has the session of a handshake that is over, where there is none yet and the server resumes it. */
  private void take(long handshake) throws Throwable {
    if (session != 0) {
      return;
    }
    long taken = (long) OpenSsl.GET1_SESSION.invokeExact(handshake);
    if (taken != 0 && (int) OpenSsl.SESSION_IS_RESUMABLE.invokeExact(taken) == 1) {
      session = taken;
      number++;
    } else {
      OpenSsl.SESSION_FREE.invokeExact(taken);
    }
  }

  private void drop() throws Throwable {
    if (session != 0) {
      OpenSsl.SESSION_FREE.invokeExact(session);
      session = 0;
    }
  }

  /**
   * Keeps OpenSSL's session of a connection whose handshake is over, no record of which has been opened since, where its ticket is awaited.
   *
   * @return whether it is kept, and freed by this
   */
  boolean keeps(int c, long established) throws Throwable {
    if (session != 0 || awaited != NOBODY) {
      return false;
    }
    long memory = (long) OpenSsl.BIO_S_MEM.invokeExact();
    in = (long) OpenSsl.BIO_NEW.invokeExact(memory);
    long out = (long) OpenSsl.BIO_NEW.invokeExact(memory);
    if (in == 0 || out == 0) {
      throw new OutOfMemoryError("BIO_new: " + OpenSsl.lastError());
    }
    OpenSsl.SET_BIO.invokeExact(established, in, out);
    awaited = c;
    ssl = established;
    records = 0;
    return true;
  }

  /** Whether {@link #came} is to have the next record of a connection. */
  boolean awaits(int c) {
    return awaited == c;
  }

  /** Has a whole record that came for the connection that this {@link #awaits}, before anybody else opens it. */
  void came(long from, int bytes) {
    try {
      int _ = (int) OpenSsl.BIO_WRITE.invokeExact(in, from, bytes);
      int n;
      do {
        n = (int) OpenSsl.READ.invokeExact(ssl, plain, TlsSessions.RECORD_BYTES);
      } while (n > 0);
      boolean over = (int) OpenSsl.GET_ERROR.invokeExact(ssl, n) != OpenSsl.SSL_ERROR_WANT_READ;
      // What is wrong with a record is for those to say who open it for the load.
      OpenSsl.ERR_CLEAR.invokeExact();
      take(ssl);
      if (session != 0 || over || ++records == MOST_RECORDS) {
        forget(awaited);
      }
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Awaits nothing more of a connection. */
  void forget(int c) {
    if (awaited == NOBODY || awaited != c) {
      return;
    }
    awaited = NOBODY;
    try {
      TlsSessions.free(ssl);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  @Override
  public void close() {
    forget(awaited);
    try {
      drop();
    } catch (Throwable t) {
      throw impossible(t);
    }
    arena.close();
  }
}
