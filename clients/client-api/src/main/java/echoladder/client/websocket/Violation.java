package echoladder.client.websocket;

/** What a peer must not send (RFC 6455, section 5). Where frames begin behind it is not known, so the connection is of no more use. */
public enum Violation {
  RESERVED_BITS("reserved bits set, and no extension was asked for"),
  UNKNOWN_OPCODE("an opcode that RFC 6455 does not define"),
  FRAGMENTED_CONTROL("a control frame in fragments"),
  CONTROL_TOO_LONG("a control frame over 125 bytes"),
  NOTHING_TO_CONTINUE("a continuation without a message"),
  MESSAGE_WITHIN_MESSAGE("a message that begins within another"),
  MASKED("a mask, which a server must not use"),
  UNMASKED("no mask, which a client must use"),
  LENGTH_NOT_SHORTEST("a length not in its shortest form"),
  LENGTH_BIT("a length whose first bit is set"),
  TOO_LONG("a length over 2147483647"),
  BAD_CLOSE("a close frame whose body begins with no code that may be sent");

  private final String words;

  Violation(String words) {
    this.words = words;
  }

  /** In words, as in "a frame with ...". */
  public String words() {
    return words;
  }
}
