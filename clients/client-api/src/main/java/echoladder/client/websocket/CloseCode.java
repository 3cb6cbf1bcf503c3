package echoladder.client.websocket;

/** The code in the body of a close frame (RFC 6455, section 7.4). */
public final class CloseCode {
  /** The purpose of the connection is fulfilled. */
  public static final int NORMAL = 1000;

  /** Stands for a body without a code; it is never sent. */
  public static final int NONE = 1005;

  private static final int ABNORMAL = 1006;
  private static final int TLS = 1015;

  private CloseCode() {}

  /** The code of a close frame with this body, {@link #NONE} where it has none, -1 where it has one that may not be sent. */
  public static int of(byte[] body) {
    if (body.length == 0) {
      return NONE;
    }
    int code = body.length == 1 ? -1 : (body[0] & 0xff) << 8 | (body[1] & 0xff);
    return sent(code) ? code : -1;
  }

  /** Whether a code may be sent: one that is registered up to 1014, of libraries (3000) or of applications (4000). */
  private static boolean sent(int code) {
    boolean registered = code >= NORMAL && code < TLS && code != 1004 && code != NONE && code != ABNORMAL;
    return registered || (code >= 3000 && code < 5000);
  }

  /** The body that says it. */
  public static byte[] body(int code) {
    return new byte[] {(byte) (code >>> 8), (byte) code};
  }
}
