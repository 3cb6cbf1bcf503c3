package echoladder.openloop.testserver;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** What an answer looks like on the wire. */
public sealed interface Shape {
  /** The message, in one write. */
  record Faithful() implements Shape {}

  /** The answer to message number {@code message} (from 0, over all connections) has one bit of one byte flipped. */
  record Corrupt(LongSupplier message, int byteIndex) implements Shape {}

  /** The answer to message number {@code message} has this many bytes more than the message. */
  record Surplus(long message, int bytes) implements Shape {}

  /** The message, in writes of one byte. */
  record ByteByByte() implements Shape {}

  /** The writes that answer a message; the array may be changed and kept. */
  default List<byte[]> writes(byte[] message, long number) {
    switch (this) {
      case Faithful() -> {
        return List.of(message);
      }
      case Corrupt(LongSupplier which, int byteIndex) -> {
        if (number == which.getAsLong()) {
          message[byteIndex] ^= 1;
        }
        return List.of(message);
      }
      case Surplus(long which, int bytes) -> {
        return List.of(number == which ? Arrays.copyOf(message, message.length + bytes) : message);
      }
      case ByteByByte() -> {
        Byte[] boxed = new Byte[message.length];
        Arrays.setAll(boxed, i -> message[i]);
        return Arrays.stream(boxed).map(b -> new byte[] {b}).toList();
      }
    }
  }
}
