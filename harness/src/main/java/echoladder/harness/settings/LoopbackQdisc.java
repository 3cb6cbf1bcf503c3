package echoladder.harness.settings;

import echoladder.harness.common.Command;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The queueing discipline of loopback, by tc of iproute2. */
final class LoopbackQdisc {
  private static final Path ROOT = Path.of("/");

  private LoopbackQdisc() {}

  /** Why it cannot be set in a network namespace, which is tried in one that ends with the trial; null where it can. */
  static @Nullable String complaint(String name) {
    try {
      Command.answer(ROOT, "unshare", "--net", "--", "tc", "qdisc", "replace", "dev", "lo", "root", name);
      return null;
    } catch (IOException e) {
      return "the qdisc '%s' cannot be set for lo (%s); where the kernel does not know it, as root on the host: modprobe sch_%s"
          .formatted(name, e.getMessage(), name);
    }
  }

  static void set(String name) throws IOException {
    Command.answer(ROOT, "tc", "qdisc", "replace", "dev", "lo", "root", name);
  }

  static String inForce() throws IOException {
    return ofAnswer(Command.answer(ROOT, "tc", "qdisc", "show", "dev", "lo"));
  }

  /**
   * The name of the one at the root.
   *
   * @param answer of tc, e.g. {@code qdisc noqueue 0: root refcnt 2}
   * @throws IOException where it names none
   */
  static String ofAnswer(String answer) throws IOException {
    for (String line : answer.split("\n", -1)) {
      String[] words = line.strip().split(" ", -1);
      if (words.length > 3 && words[0].equals("qdisc") && words[3].equals("root")) {
        return words[1];
      }
    }
    throw new IOException("tc names no qdisc at the root of lo: '" + answer + "'");
  }
}
