package echoladder.harness.study;

import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Servers whose buffer is smaller than a message: they read and write each message in parts, and every figure of an echo
 * contains those system calls.
 */
public final class SmallBuffers {
  /** Options that bound one read; 0 = the server chooses. A buffer that grows with what it receives has another name. */
  private static final List<String> BUFFERS = List.of("buffer-bytes", "receive-buffer-bytes");

  private SmallBuffers() {}

  /**
   * How many reads a message takes at least.
   *
   * @param options of the server that differ from its defaults
   * @param messageBytes 1 or more
   * @return 2 or more; null where one is enough, or the server chooses
   */
  public static @Nullable Long readsPerMessage(ServerManifest server, Map<String, String> options, int messageBytes) {
    Long bufferBytes = bufferBytes(server, options);
    return bufferBytes == null || bufferBytes >= messageBytes ? null : (messageBytes + bufferBytes - 1) / bufferBytes;
  }

  private static @Nullable Long bufferBytes(ServerManifest server, Map<String, String> options) {
    Map<String, String> inForce = server.inForce(options);
    for (String option : BUFFERS) {
      String value = inForce.get(option);
      if (value != null && !value.equals("0")) {
        return Long.valueOf(value);
      }
    }
    return null;
  }

  /** A warning for each entry of a study that has such a server; none where every message fits. */
  public static List<String> warnings(Study study, Map<String, ServerManifest> servers) {
    List<String> warnings = new ArrayList<>();
    for (Study.Entry entry : study.servers()) {
      ServerManifest server = servers.get(entry.server());
      if (server == null || study.load(entry).staged() != null || study.load(entry).publish() != null) {
        continue;
      }
      int messageBytes = study.load(entry).messageBytes();
      Long reads = readsPerMessage(server, entry.options(), messageBytes);
      if (reads != null) {
        warnings.add(
            ("%s: a message of %,d B goes through a buffer of %,d B, which takes %,d reads and as many writes or more: its CPU and"
                    + " times are of those; for one read set the server's option %s to %d")
                .formatted(entry.label(), messageBytes, bufferBytes(server, entry.options()), reads, option(server), messageBytes));
      }
    }
    return warnings;
  }

  private static String option(ServerManifest server) {
    return BUFFERS.stream().filter(server.options()::containsKey).findFirst().orElseThrow();
  }
}
