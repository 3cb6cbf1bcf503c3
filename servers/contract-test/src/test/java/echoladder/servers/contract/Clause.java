package echoladder.servers.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the tests of a clause of the contract that a server's library may be unable to keep. A server.yaml names the clause
 * under {@code cannot} by {@link Name}, with the reason; {@link ExpectedFailure} then expects these tests to fail.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Clause {
  /** Which clause. */
  Name value();

  /** The clauses of which a server may be excused. */
  enum Name {
    /** A client that sends and never reads costs bounded memory. */
    BACK_PRESSURE("back-pressure"),
    /** Every byte received before the client's FIN is returned before the server's own. */
    BYTES_BEFORE_FIN("bytes-before-fin"),
    /** HTTP: a head that is too long is answered 431. */
    LONG_HEAD("long-head"),
    /** HTTP: the name of the coding {@code chunked} is read without its case and without blanks around it. */
    TRANSFER_CODING("transfer-coding"),
    /** HTTP: extensions of chunks are ignored. */
    CHUNK_EXTENSIONS("chunk-extensions"),
    /** HTTP: trailers behind chunks are ignored. */
    TRAILERS("trailers"),
    /** HTTP: a body with a content-encoding is echoed as it is. */
    CONTENT_ENCODING("content-encoding"),
    /** HTTP and WebSocket: a target may be a whole URL. */
    ABSOLUTE_FORM("absolute-form"),
    /** HTTP: the answer to {@code Connection: close} is the last of its connection. */
    CONNECTION_CLOSE("connection-close"),
    /** WebSocket: the names in {@code Upgrade} and {@code Connection} are read without their case, also in a list. */
    UPGRADE("upgrade"),
    /** WebSocket: a query behind the path changes nothing. */
    QUERY("query"),
    /** WebSocket: frames that come with the request for the upgrade are taken as those that come later. */
    EARLY_FRAMES("early-frames"),
    /** WebSocket: an upgrade by another method, in another version of HTTP or with another key than RFC 6455 has is refused. */
    INVALID_UPGRADES("invalid-upgrades"),
    /** WebSocket: text comes back as text. */
    TEXT("text"),
    /** WebSocket: text that is not UTF-8 ends in 1007, and a character may be cut by a fragment's end. */
    ENCODING("encoding"),
    /** WebSocket: an unmasked frame of a client ends in 1002. */
    UNMASKED_FRAMES("unmasked-frames"),
    /** WebSocket: a reserved bit that is set ends in 1002. */
    RESERVED_BITS("reserved-bits"),
    /** WebSocket: an opcode that RFC 6455 leaves unknown ends in 1002. */
    UNKNOWN_OPCODES("unknown-opcodes"),
    /** WebSocket: a control frame that is fragmented or over 125 bytes ends in 1002. */
    CONTROL_FRAMES("control-frames"),
    /** WebSocket: a continuation of nothing, or a message begun within another, ends in 1002. */
    CONTINUATIONS("continuations"),
    /** WebSocket: a close frame with half a code, or with a code that nobody may send, ends in 1002. */
    CLOSE_CODES("close-codes"),
    /** WebSocket: a close frame is answered by one, and then the connection ends. */
    CLOSE_HANDSHAKE("close-handshake"),
    /** WebSocket: a message beyond {@code max-message-bytes} ends in 1009. */
    OVERSIZED("oversized");

    private final String inYaml;

    Name(String inYaml) {
      this.inYaml = inYaml;
    }

    /** As a server.yaml has it. */
    @Override
    public String toString() {
      return inYaml;
    }
  }
}
