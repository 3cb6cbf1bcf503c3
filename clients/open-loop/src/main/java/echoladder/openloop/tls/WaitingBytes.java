package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Bytes of each connection that wait, in their order, in one direction: in a memory BIO of OpenSSL, which a connection has only while
 * bytes wait or a session uses it. The bytes that came last may be lent instead: they stay where they are until {@link #keep}, so that
 * bytes which go on at once are not copied. Belongs to one thread.
 */
final class WaitingBytes {
  private static final int SCRATCH_BYTES = 64 << 10;

  private final long[] bio;
  private final MemorySegment cell;
  private final long scratch;
  private final long memoryBio;
  private int lentOf;
  private long lentAt;
  private int lentBytes;

  /** Makes room for so many connections; {@code arena} has to last as long as this. */
  WaitingBytes(int connections, Arena arena) {
    bio = new long[connections];
    cell = arena.allocate(ValueLayout.JAVA_LONG);
    scratch = arena.allocate(SCRATCH_BYTES).address();
    try {
      memoryBio = (long) OpenSsl.BIO_S_MEM.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The BIO of a connection, for a session that frees it too. */
  long shared(int c) {
    try {
      open(c);
      int _ = (int) OpenSsl.BIO_UP_REF.invokeExact(bio[c]);
      return bio[c];
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private void open(int c) throws Throwable {
    if (bio[c] == 0) {
      bio[c] = (long) OpenSsl.BIO_NEW.invokeExact(memoryBio);
    }
  }

  /** Adds bytes by copying them; an {@link OutOfMemoryError} says that OpenSSL has no room. */
  void add(int c, long from, int bytes) {
    keep();
    int taken;
    try {
      open(c);
      taken = (int) OpenSsl.BIO_WRITE.invokeExact(bio[c], from, bytes);
    } catch (Throwable t) {
      throw impossible(t);
    }
    if (taken != bytes) {
      throw new OutOfMemoryError("BIO_write took " + taken + " of " + bytes + " bytes");
    }
  }

  /** Adds bytes that stay as they are until {@link #keep}, or any call here that adds. */
  void lend(int c, long from, int bytes) {
    keep();
    if (bytes(c) > 0) {
      add(c, from, bytes);
      return;
    }
    lentOf = c;
    lentAt = from;
    lentBytes = bytes;
  }

  /** Copies what is lent, before its place is used for something else. */
  void keep() {
    if (lentBytes > 0) {
      int bytes = lentBytes;
      lentBytes = 0;
      add(lentOf, lentAt, bytes);
    }
  }

  private boolean lent(int c) {
    return lentBytes > 0 && lentOf == c;
  }

  /** How many bytes of a connection wait. */
  int bytes(int c) {
    return lent(c) ? lentBytes : bio[c] == 0 ? 0 : (int) info(c);
  }

  /** Where they are, in one piece, until the next call that concerns the connection; they have to be some. */
  long at(int c) {
    if (lent(c)) {
      return lentAt;
    }
    long _ = info(c);
    return cell.get(ValueLayout.JAVA_LONG, 0);
  }

  private long info(int c) {
    try {
      return (long) OpenSsl.BIO_CTRL.invokeExact(bio[c], OpenSsl.BIO_CTRL_INFO, 0L, cell.address());
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Removes the first bytes of a connection. */
  void remove(int c, int bytes) {
    if (lent(c)) {
      lentAt += bytes;
      lentBytes -= bytes;
      return;
    }
    try {
      for (int left = bytes; left > 0; left -= SCRATCH_BYTES) {
        int _ = (int) OpenSsl.BIO_READ.invokeExact(bio[c], scratch, Math.min(left, SCRATCH_BYTES));
      }
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Frees the BIO of a connection where no bytes are in it, and no session needs it any more. */
  void settle(int c) {
    if (bio[c] != 0 && info(c) == 0) {
      free(c);
    }
  }

  /** Forgets the bytes of a connection. */
  void forget(int c) {
    if (lentOf == c) {
      lentBytes = 0;
    }
    if (bio[c] != 0) {
      free(c);
    }
  }

  private void free(int c) {
    try {
      int _ = (int) OpenSsl.BIO_FREE.invokeExact(bio[c]);
      bio[c] = 0;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Connections that have a BIO. */
  int held() {
    return (int) Arrays.stream(bio).filter(b -> b != 0).count();
  }

  /** Bytes this keeps in arrays. */
  long arrayBytes() {
    return 8L * bio.length;
  }
}
