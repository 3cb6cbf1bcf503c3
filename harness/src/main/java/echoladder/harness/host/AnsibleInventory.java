package echoladder.harness.host;

import echoladder.harness.common.Refusal;
import echoladder.linux.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Ansible's own reader of inventories, whatever form they have. */
final class AnsibleInventory {
  private static final String PROGRAM = "ansible-inventory";
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int MOST_BYTES = 16 << 20;

  private AnsibleInventory() {}

  /**
   * What it prints of that file.
   *
   * @throws Refusal where it is missing (cannot run), or does not take the file (bad usage)
   */
  static String list(String file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ChildProcess process =
        ChildProcess.start(new ProcessBuilder(PROGRAM, "-i", file, "--list"), from -> keep(from, out), from -> keep(from, err))) {
      process.stdin().close();
      if (!process.endsWithin(BOUND) || !process.drained()) {
        throw Refusal.cannotRun("--hosts %s: %s did not end within %d s".formatted(file, PROGRAM, BOUND.toSeconds()));
      }
      String said = err.toString(StandardCharsets.UTF_8).strip();
      if (Integer.valueOf(0).equals(process.status())) {
        // A file that none of its readers takes is a warning, and an inventory without hosts.
        String text = out.toString(StandardCharsets.UTF_8);
        if (said.contains("Unable to parse")) {
          throw Refusal.badUsage("--hosts " + file + ": " + lines(said));
        }
        return text;
      }
      throw Refusal.badUsage("--hosts %s: %s %s: %s".formatted(file, PROGRAM, process.ending(), lines(said)));
    } catch (IOException e) {
      throw Refusal.cannotRun(
          "--hosts %s: %s is not on PATH; it comes with ansible-core (pip install ansible-core, or apt-get install ansible-core)"
              .formatted(file, PROGRAM));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.cannotRun("interrupted while " + PROGRAM + " ran");
    }
  }

  private static String lines(String said) {
    return String.join(" ", said.lines().map(String::strip).filter(line -> !line.isEmpty()).limit(5).toList());
  }

  private static void keep(InputStream from, ByteArrayOutputStream into) throws IOException {
    byte[] part = new byte[8 << 10];
    for (int n = from.read(part); n >= 0; n = from.read(part)) {
      if (into.size() < MOST_BYTES) {
        into.write(part, 0, n);
      }
    }
  }
}
