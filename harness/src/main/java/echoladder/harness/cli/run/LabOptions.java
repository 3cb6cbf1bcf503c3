package echoladder.harness.cli.run;

import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The amounts that a lab is asked for, checked before anything starts. */
final class LabOptions {
  static final String LEAST_MEMORY = "256M";
  static final String MOST_MEMORY = "4096G";
  static final String LEAST_WRITTEN = "1M";
  static final String LEAST_TIMEOUT = "1s";
  static final String MOST_TIMEOUT = "24h";
  private static final String RESULTS = "--results";

  private LabOptions() {}

  /** In bytes; a fraction of a MiB is dropped, as the kernel takes whole ones. */
  static long memory(String text) {
    return checked("--memory", Quantity.MEMORY, text, LEAST_MEMORY, MOST_MEMORY).longValue() >> 20 << 20;
  }

  /** In bytes. */
  static long written(String text) {
    return checked("--write-most", Quantity.MEMORY, text, LEAST_WRITTEN, MOST_MEMORY).longValue();
  }

  static Duration timeout(String text) {
    return Duration.ofNanos(checked("--timeout", Quantity.DURATION, text, LEAST_TIMEOUT, MOST_TIMEOUT).longValue());
  }

  /** What {@code ./ladder run} in a command is told of where its results go, which else would go with the lab. */
  static List<Path> results(List<String> command) {
    List<Path> folders = new ArrayList<>();
    for (int i = 0; i < command.size(); i++) {
      String word = command.get(i);
      if (word.startsWith(RESULTS + "=")) {
        folders.add(Path.of(word.substring(RESULTS.length() + 1)));
      } else if (word.equals(RESULTS) && i + 1 < command.size()) {
        folders.add(Path.of(command.get(i + 1)));
      }
    }
    return folders;
  }

  /** Their real paths; those that are not there are created, as the lab mounts them. */
  static List<Path> writable(List<Path> folders) {
    List<Path> real = new ArrayList<>();
    for (Path folder : folders) {
      try {
        Files.createDirectories(folder);
        real.add(folder.toRealPath());
      } catch (IOException e) {
        throw Refusal.badUsage("the lab cannot be let write to " + folder + ": " + ErrorText.of(e));
      }
      if (!real.getLast().toString().matches("[^\\n\\\\]+")) {
        throw Refusal.badUsage("the lab cannot be let write to " + folder + ": its name has a line's end or a backslash");
      }
    }
    return real.stream().distinct().toList();
  }

  private static BigDecimal checked(String option, Quantity quantity, String text, String least, String most) {
    BigDecimal value;
    try {
      value = quantity.parse(text);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("%s: %s, %s to %s".formatted(option, e.getMessage(), least, most));
    }
    if (value.compareTo(quantity.parse(least)) < 0 || value.compareTo(quantity.parse(most)) > 0) {
      throw Refusal.badUsage("%s %s is outside of %s to %s".formatted(option, text, least, most));
    }
    return value;
  }
}
