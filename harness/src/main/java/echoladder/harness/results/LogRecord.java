package echoladder.harness.results;

import echoladder.harness.common.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * An interval log as it was when its rung was recorded, so that one which a power cut or a copy has shortened is seen.
 *
 * @param bytes its size
 * @param sha256 of its content, 64 hexadecimal digits
 */
public record LogRecord(long bytes, String sha256) {
  /** Reads a file to its end. */
  public static LogRecord of(PlainFiles files, String name) throws IOException {
    MessageDigest digest = Sha256.digest();
    try (InputStream in = new DigestInputStream(files.open(name, IntervalLines.MOST_BYTES), digest)) {
      long bytes = in.transferTo(OutputStream.nullOutputStream());
      return new LogRecord(bytes, HexFormat.of().formatHex(digest.digest()));
    }
  }
}
