package echoladder.harness.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the ladder, as built. */
public final class Version {
  private Version() {}

  /** E.g. {@code 0.3.0}. */
  public static String text() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("/echoladder/harness/version.properties")) {
      if (in == null) {
        return "unknown";
      }
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the version from the jar", e);
    }
  }
}
