package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.MEMORY;
import static echoladder.linux.openssl.OpenSsl.impossible;
import static echoladder.linux.openssl.TrafficKeys.IV_BYTES;
import static echoladder.linux.openssl.TrafficKeys.KEY_BYTES;
import static echoladder.linux.openssl.TrafficKeys.SECRET_BYTES;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import echoladder.linux.openssl.OpenSsl;
import echoladder.linux.openssl.TrafficKeys;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Keys of TLS 1.3 with TLS_AES_128_GCM_SHA256, for each connection and direction, and how they seal and open one record (RFC 8446, 5.2).
 * They are {@link #CONNECTION_BYTES} of native memory for each connection. All connections use the same two contexts of AES. Nothing is
 * allocated per record. Belongs to one thread.
 */
final class RecordKeys implements AutoCloseable {
  /** Type, version and length, before what is sealed. */
  static final int HEAD_BYTES = 5;

  /** What authenticates a record, behind what is sealed (RFC 5116, 5.1). */
  static final int TAG_BYTES = 16;

  /** Outer type of every sealed record, and inner type of what is no alert and no handshake (RFC 8446, 5.1). */
  static final int APPLICATION_DATA = 23;

  private static final int VERSION = 0x0303;

  // What is kept of one direction, in bytes from its beginning on.
  static final int KEY = SECRET_BYTES;
  private static final int SEQUENCE = KEY + KEY_BYTES;
  static final int IV = SEQUENCE + 8;
  private static final int SKIPPED = IV + IV_BYTES;
  static final int DIRECTION_BYTES = SKIPPED + 4;

  /** Memory of a connection. */
  static final int CONNECTION_BYTES = 2 * DIRECTION_BYTES;

  private static final ValueLayout.OfLong NETWORK_LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @SuppressWarnings("MustBeClosedChecker") // close() does it.
  private final Arena arena = Arena.ofShared();
  /** What is kept of all connections, each with its own direction before the other end's. */
  final MemorySegment slab;
  private final TrafficKeys derived = new TrafficKeys(arena);
  private final MemorySegment nonce = arena.allocate(16, 8);
  private final MemorySegment innerType = arena.allocate(1);
  private final long count = arena.allocate(JAVA_INT).address();
  private final long sealing;
  private final long opening;

  /** Keys of so many connections, all of which are still to come. */
  RecordKeys(int connections) {
    slab = arena.allocate((long) CONNECTION_BYTES * connections, 8);
    try {
      sealing = context(1);
      opening = context(0);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private static long context(int encrypts) throws Throwable {
    long context = (long) OpenSsl.CIPHER_CTX_NEW.invokeExact();
    long aes = (long) OpenSsl.AES_128_GCM.invokeExact();
    if (context == 0 || (int) OpenSsl.CIPHER_INIT.invokeExact(context, aes, 0L, 0L, 0L, encrypts) != 1) {
      throw new IllegalStateException("EVP_CipherInit_ex of AES-128-GCM: " + OpenSsl.lastError());
    }
    return context;
  }

  private static long own(int c) {
    return (long) CONNECTION_BYTES * c;
  }

  private static long peers(int c) {
    return own(c) + DIRECTION_BYTES;
  }

  /**
   * Begins a connection, no record of which has been sealed or opened yet.
   *
   * @param own traffic secret of what this end seals, {@link TrafficKeys#SECRET_BYTES}
   * @param peers traffic secret of what the other end seals
   */
  void begin(int c, byte[] own, byte[] peers) {
    MemorySegment.copy(own, 0, slab, JAVA_BYTE, own(c), SECRET_BYTES);
    keys(own(c));
    MemorySegment.copy(peers, 0, slab, JAVA_BYTE, peers(c), SECRET_BYTES);
    keys(peers(c));
    skipped(c, 0);
  }

  /** Has this end's next secret (RFC 8446, 7.2) and its keys from here on. */
  void updateOwn(int c) {
    update(own(c));
  }

  /** Has the other end's next secret and its keys from here on. */
  void updatePeers(int c) {
    update(peers(c));
  }

  private void update(long at) {
    derived.next(slab.address() + at);
    keys(at);
  }

  /** Traffic keys of a direction's secret (RFC 8446, 7.3); its records count from 0. */
  private void keys(long at) {
    long secret = slab.address() + at;
    derived.key(secret, secret + KEY);
    derived.iv(secret, secret + IV);
    slab.set(JAVA_LONG, at + SEQUENCE, 0);
  }

  /** Bytes still to come of a handshake message that is passed over. */
  int skipped(int c) {
    return slab.get(JAVA_INT, peers(c) + SKIPPED);
  }

  /** Keeps {@link #skipped(int)}. */
  void skipped(int c, int bytes) {
    slab.set(JAVA_INT, peers(c) + SKIPPED, bytes);
  }

  /**
   * Seals bytes into one record without padding: its length, {@link #HEAD_BYTES} and {@link #TAG_BYTES} and 1 more than its bytes.
   *
   * @param type of what is in it
   * @param from address of the bytes
   * @param bytes 1 to 2^14
   * @param to address of the record
   */
  int seal(int c, int type, long from, int bytes, long to) {
    long at = own(c);
    int content = bytes + 1;
    MEMORY.set(JAVA_BYTE, to, (byte) APPLICATION_DATA);
    MEMORY.set(NETWORK_SHORT, to + 1, (short) VERSION);
    MEMORY.set(NETWORK_SHORT, to + 3, (short) (content + TAG_BYTES));
    innerType.set(JAVA_BYTE, 0, (byte) type);
    long body = to + HEAD_BYTES;
    boolean done;
    try {
      done = keyed(sealing, at, 1)
          && (int) OpenSsl.CIPHER_UPDATE.invokeExact(sealing, 0L, count, to, HEAD_BYTES) == 1
          && (int) OpenSsl.CIPHER_UPDATE.invokeExact(sealing, body, count, from, bytes) == 1
          && (int) OpenSsl.CIPHER_UPDATE.invokeExact(sealing, body + bytes, count, innerType.address(), 1) == 1
          && (int) OpenSsl.CIPHER_FINAL.invokeExact(sealing, body + content, count) == 1
          && (int) OpenSsl.CIPHER_CTX_CTRL.invokeExact(sealing, OpenSsl.EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, body + content) == 1;
    } catch (Throwable t) {
      throw impossible(t);
    }
    if (!done) {
      throw new IllegalStateException("AES-128-GCM: " + OpenSsl.lastError());
    }
    counted(at);
    return HEAD_BYTES + content + TAG_BYTES;
  }

  /**
   * Opens a whole record: the bytes of its content, type and padding, or -1 where its tag is not that of this key and sequence number.
   * After -1 the next record cannot be opened.
   *
   * @param from address of the record
   * @param bytes of the whole record, more than {@link #HEAD_BYTES} and {@link #TAG_BYTES}
   * @param to address of what is opened, in other memory; it is as long as the record without head and tag
   */
  int open(int c, long from, int bytes, long to) {
    long at = peers(c);
    int content = bytes - HEAD_BYTES - TAG_BYTES;
    long body = from + HEAD_BYTES;
    boolean done;
    try {
      done = keyed(opening, at, 0)
          && (int) OpenSsl.CIPHER_UPDATE.invokeExact(opening, 0L, count, from, HEAD_BYTES) == 1
          && (int) OpenSsl.CIPHER_UPDATE.invokeExact(opening, to, count, body, content) == 1
          && (int) OpenSsl.CIPHER_CTX_CTRL.invokeExact(opening, OpenSsl.EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, body + content) == 1
          && (int) OpenSsl.CIPHER_FINAL.invokeExact(opening, to + content, count) == 1;
      if (!done) {
        // The error would be another session's.
        OpenSsl.ERR_CLEAR.invokeExact();
        return -1;
      }
    } catch (Throwable t) {
      throw impossible(t);
    }
    counted(at);
    return content;
  }

  /** Gives a context the key of a direction, and the nonce of its next record: IV xor sequence number (RFC 8446, 5.3). */
  private boolean keyed(long context, long at, int encrypts) throws Throwable {
    nonce.set(JAVA_INT, 0, slab.get(JAVA_INT_UNALIGNED, at + IV));
    nonce.set(NETWORK_LONG, 4, slab.get(NETWORK_LONG, at + IV + 4) ^ slab.get(JAVA_LONG, at + SEQUENCE));
    return (int) OpenSsl.CIPHER_INIT.invokeExact(context, 0L, 0L, slab.address() + at + KEY, nonce.address(), encrypts) == 1;
  }

  private void counted(long at) {
    slab.set(JAVA_LONG, at + SEQUENCE, slab.get(JAVA_LONG, at + SEQUENCE) + 1);
  }

  /** Bytes of native memory that these keys take. */
  long bytes() {
    return slab.byteSize();
  }

  @Override
  public void close() {
    try {
      OpenSsl.CIPHER_CTX_FREE.invokeExact(sealing);
      OpenSsl.CIPHER_CTX_FREE.invokeExact(opening);
    } catch (Throwable t) {
      throw impossible(t);
    }
    arena.close();
  }
}
