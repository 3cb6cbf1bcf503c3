package echoladder.openloop.loop;

import java.lang.foreign.MemorySegment;

/**
 * How the bytes of a codec go onto the sockets of an event loop and come off them: as they are, or under TLS. A result below 0 is a
 * negated {@link echoladder.linux.Errno} or one of the values here. Belongs to the loop's thread, as {@link Connections} does.
 */
interface Wire {
  /** The connection cannot go on, and {@link #failure} says why. */
  int FAILED = Integer.MIN_VALUE;

  /** Bytes came that bring no message nearer but the wire itself: what waits may be tried again. */
  int PROGRESS = Integer.MIN_VALUE + 1;

  /** Whether messages may be sent on a connection. */
  boolean isOpen(int c);

  /** Does what has to come before the first message: 1 = messages may be sent, 0 = the server's answer is awaited, or what failed. */
  int open(int c);

  /**
   * Makes bytes ready to be sent: how many of them, or {@link #FAILED}. What is ready has to be sent by {@link #write}.
   *
   * @param out bytes of a message, from its beginning on
   */
  int seal(int c, MemorySegment out, int bytes);

  /** Sends bytes that were sealed: how many of them will not have to be offered again, or what failed. */
  int write(int c, MemorySegment out, int sealed);

  /** Sends what an earlier {@link #write} has kept: 0 when nothing is left, or what failed. */
  int flush(int c);

  /** Reads what came for a connection: the bytes in {@link #buffer}, 0 = the server ended it, {@link #PROGRESS}, or what failed. */
  int read(int c);

  /** Where the bytes of the last {@link #read} are. */
  MemorySegment buffer();

  /** Whether the last {@link #read} left something to be read at once. */
  boolean more(int c);

  /** Whether bytes came behind those of the last {@link #read}, so that the stamp of its arrival may be theirs. */
  boolean beyond(int c);

  /** Why it failed, in words that are few. */
  String failure();

  /** Closes a connection's socket. */
  void close(int c);

  /** Forgets everything, once all connections are closed. */
  default void end() {}

  /** Bytes this keeps in arrays. */
  long arrayBytes();
}
