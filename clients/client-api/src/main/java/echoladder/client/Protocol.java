package echoladder.client;

/** What is spoken on a connection. */
public enum Protocol {
  /** The message goes out and comes back, byte for byte. */
  TCP,
  /** {@code POST /echo} with the message as body, HTTP/1.1 keep-alive. */
  HTTP,
  /** The message is one binary frame (RFC 6455) each way; {@code GET /echo} upgrades. */
  WEBSOCKET
}
