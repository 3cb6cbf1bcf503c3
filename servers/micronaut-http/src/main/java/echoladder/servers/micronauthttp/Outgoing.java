package echoladder.servers.micronauthttp;

/** What a connection is sent as a whole: a message, whose bytes all its subscribers share, or a reply. */
final class Outgoing {
  private final byte[] bytes;
  private final boolean message;

  private Outgoing(byte[] bytes, boolean message) {
    this.bytes = bytes;
    this.message = message;
  }

  /** A message as its subscribers get it; nobody changes {@code bytes} from now on. */
  static Outgoing message(byte[] bytes) {
    return new Outgoing(bytes, true);
  }

  /** An answer to one connection, which is never dropped to make room. */
  static Outgoing reply(byte[] bytes) {
    return new Outgoing(bytes, false);
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return bytes.length;
  }

  boolean isMessage() {
    return message;
  }

  /** How many messages it counts as. */
  int messages() {
    return message ? 1 : 0;
  }
}
