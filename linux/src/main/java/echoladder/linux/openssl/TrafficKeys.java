package echoladder.linux.openssl;

import static echoladder.linux.openssl.OpenSsl.MEMORY;
import static echoladder.linux.openssl.OpenSsl.impossible;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Derives key and IV of a traffic secret of TLS 1.3 (RFC 8446, 7.1 to 7.3), for TLS_AES_128_GCM_SHA256. Secrets and keys are native
 * memory, known by its address. Belongs to one thread.
 */
public final class TrafficKeys {
  /** A traffic secret with SHA-256. */
  public static final int SECRET_BYTES = 32;

  public static final int KEY_BYTES = 16;
  public static final int IV_BYTES = 12;

  private final MemorySegment keyInfo;
  private final MemorySegment ivInfo;
  private final MemorySegment updateInfo;
  private final MemorySegment digest;
  private final long sha256;

  /** Memory of the arena is what the derivation needs. */
  public TrafficKeys(Arena arena) {
    keyInfo = info(arena, "key", KEY_BYTES);
    ivInfo = info(arena, "iv", IV_BYTES);
    updateInfo = info(arena, "traffic upd", SECRET_BYTES);
    digest = arena.allocate(SECRET_BYTES);
    try {
      sha256 = (long) OpenSsl.SHA256.invokeExact();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** HkdfLabel of RFC 8446, 7.1, without context, and the counter of HKDF-Expand's first block (RFC 5869, 2.3) behind it. */
  private static MemorySegment info(Arena arena, String label, int bytes) {
    byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
    byte[] info = new byte[name.length + 5];
    info[1] = (byte) bytes;
    info[2] = (byte) name.length;
    System.arraycopy(name, 0, info, 3, name.length);
    info[info.length - 1] = 1;
    return arena.allocateFrom(JAVA_BYTE, info);
  }

  /** Puts the key of a secret there. */
  public void key(long secret, long to) {
    expand(secret, keyInfo, to, KEY_BYTES);
  }

  /** Puts the IV of a secret there. */
  public void iv(long secret, long to) {
    expand(secret, ivInfo, to, IV_BYTES);
  }

  /** Puts the next secret in the place of this one (RFC 8446, 7.2). */
  public void next(long secret) {
    expand(secret, updateInfo, secret, SECRET_BYTES);
  }

  /** HKDF-Expand-Label (RFC 8446, 7.1) of at most one block. */
  private void expand(long secret, MemorySegment info, long to, int bytes) {
    long made;
    try {
      made = (long) OpenSsl.HMAC.invokeExact(
          sha256, secret, SECRET_BYTES, info.address(), info.byteSize(), digest.address(), 0L);
    } catch (Throwable t) {
      throw impossible(t);
    }
    if (made == 0) {
      throw new IllegalStateException("HMAC: " + OpenSsl.lastError());
    }
    MemorySegment.copy(digest, 0, MEMORY, to, bytes);
  }
}
