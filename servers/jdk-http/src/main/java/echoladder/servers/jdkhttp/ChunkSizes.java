package echoladder.servers.jdkhttp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a chunked body on their way to HttpServer's own reader, which counts a chunk's size in 32 bits and drops
 * those beyond: it would take what follows the rest for a request. A size of more than seven digits ends the request here. One
 * thread.
 */
final class ChunkSizes extends FilterInputStream {
  private static final int DIGITS_MAX = 7;

  private enum Place {
    SIZE,
    EXTENSION,
    DATA,
    DATA_END
  }

  private Place place = Place.SIZE;
  private int digits;
  private long size;

  ChunkSizes(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    if (b >= 0) {
      took(b);
    }
    return b;
  }

  /** Data come in pieces; the framing around them HttpServer reads byte by byte. */
  @Override
  public int read(byte[] into, int at, int most) throws IOException {
    if (place != Place.DATA) {
      int b = most == 0 ? 0 : read();
      if (b < 0 || most == 0) {
        return b;
      }
      into[at] = (byte) b;
      return 1;
    }
    int n = super.read(into, at, (int) Math.min(most, size));
    size -= Math.max(n, 0);
    place = size == 0 ? Place.DATA_END : place;
    return n;
  }

  private void took(int b) throws IOException {
    switch (place) {
      case SIZE, EXTENSION -> {
        if (b == '\n') {
          place = size == 0 ? Place.SIZE : Place.DATA;
          digits = 0;
        } else if (b == ';' || place == Place.EXTENSION) {
          place = Place.EXTENSION;
        } else if (b != '\r') {
          digit(b);
        }
      }
      case DATA -> {
        size--;
        place = size == 0 ? Place.DATA_END : place;
      }
      case DATA_END -> place = b == '\n' ? Place.SIZE : place;
    }
  }

  private void digit(int b) throws IOException {
    digits++;
    if (digits > DIGITS_MAX) {
      throw new IOException("a chunk's size has more than " + DIGITS_MAX + " digits");
    }
    // What is no digit HttpServer refuses.
    size = (digits == 1 ? 0 : size) * 16 + Math.max(0, Character.digit(b, 16));
  }
}
