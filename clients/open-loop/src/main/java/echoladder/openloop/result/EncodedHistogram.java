package echoladder.openloop.result;

import echoladder.linux.ErrorText;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * A compressed histogram that somebody else wrote. HdrHistogram's own decoder takes its room from what the bytes say of
 * themselves, so they are looked at first: a hundred bytes may say that they are 2 GiB.
 */
public final class EncodedHistogram {
  /** A histogram of 1 ns to 1 h by three digits, every count of nine bytes and none compressible, has some 450 KB. */
  public static final int MOST_BYTES = 1 << 20;

  private static final int MOST_DIGITS = 3;
  private static final int HEADER_BYTES = 40;
  private static final int COMPRESSED = 0x1c849314;

  private EncodedHistogram() {}

  /** What speaks against decoding those bytes; empty where nothing, and where they were cut, which the decoder says. */
  public static String complaint(byte[] bytes) {
    if (bytes.length < 8 || ByteBuffer.wrap(bytes).getInt() != COMPRESSED) {
      return bytes.length < 8 ? "" : "its histogram is not one of HdrHistogram's V2, compressed";
    }
    byte[] header = new byte[HEADER_BYTES];
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes, 8, bytes.length - 8);
      if (inflater.inflate(header) < HEADER_BYTES) {
        return "";
      }
    } catch (DataFormatException e) {
      return "its histogram cannot be unpacked: " + e.getMessage();
    }
    ByteBuffer of = ByteBuffer.wrap(header);
    int payloadBytes = of.getInt(4);
    int digits = of.getInt(12);
    long lowest = of.getLong(16);
    long highest = of.getLong(24);
    return payloadBytes < 0 || payloadBytes > MOST_BYTES || digits < 0 || digits > MOST_DIGITS || lowest < 1 || highest < 2 * lowest
        ? "its histogram says of itself that it has %,d bytes, %d digits and values from %,d to %,d, as no rung's has"
            .formatted(payloadBytes, digits, lowest, highest)
        : "";
  }

  /**
   * Adds it to another one.
   *
   * @throws IllegalArgumentException that says why it cannot be
   */
  public static void add(byte[] bytes, Histogram into) {
    String wrong = complaint(bytes);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(wrong);
    }
    try {
      into.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 1));
    } catch (DataFormatException | RuntimeException e) {
      // What the decoder throws at bytes that were cut or turned over differs with their place.
      throw new IllegalArgumentException("its histogram cannot be decoded (" + ErrorText.of(e) + ")", e);
    }
  }
}
