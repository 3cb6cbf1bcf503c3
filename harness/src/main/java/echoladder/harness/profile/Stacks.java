package echoladder.harness.profile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stacks that a profiler sampled, as text: a stack a line, its thread and then its frames from the outermost on with {@code ;}
 * between, and how often it was seen. Flame graphs of others read that too. Pure.
 */
public final class Stacks {
  /** Behind a frame of the kernel. */
  public static final String KERNEL = "_[k]";

  /** Behind a frame that a JVM compiled. */
  public static final String COMPILED = "_[j]";

  /** Bound on the frames of one stack: perf gives 127 frames at most. */
  private static final int MOST_FRAMES = 256;

  /** Address, symbol, and the file that it is of in parentheses; behind one that was deleted since, perf says so in others. */
  private static final Pattern FRAME = Pattern.compile("\\s+[0-9a-f]{1,16}\\s(.*)\\s\\((.*)\\)\\s*");

  private static final Pattern LINE = Pattern.compile("(.+) (\\d{1,15})");

  private Stacks() {}

  /** What {@code perf script -F comm,ip,sym,dso} printed: a thread's name, a line for each frame from the innermost on, a blank line. */
  static Map<String, Long> folded(String text) {
    Map<String, Long> stacks = new TreeMap<>();
    Deque<String> frames = new ArrayDeque<>();
    String thread = "";
    for (String line : (text + "\n\n").lines().toList()) {
      Matcher frame = FRAME.matcher(line.replace(" (deleted))", ")"));
      if (frame.matches() && !thread.isEmpty()) {
        if (frames.size() < MOST_FRAMES) {
          frames.addFirst(named(frame.group(1), frame.group(2)));
        }
      } else if (!line.isBlank()) {
        thread = clean(line.strip());
      } else if (!thread.isEmpty()) {
        frames.addFirst(thread);
        stacks.merge(String.join(";", frames), 1L, Long::sum);
        frames.clear();
        thread = "";
      }
    }
    return stacks;
  }

  private static String named(String symbol, String file) {
    String name = clean(symbol);
    if (file.startsWith("[kernel") || file.startsWith("[guest.kernel")) {
      return name + KERNEL;
    }
    return file.matches(".*/perf-\\d+\\.map") ? name + COMPILED : name;
  }

  private static String clean(String name) {
    String plain = name.replace(';', ':').strip();
    return plain.isEmpty() ? "[unknown]" : plain;
  }

  /** The lines of a file. */
  static String text(Map<String, Long> stacks) {
    StringBuilder out = new StringBuilder();
    stacks.forEach((stack, times) -> out.append(stack).append(' ').append(times).append('\n'));
    return out.toString();
  }

  /**
   * Reads such a file.
   *
   * @throws IllegalArgumentException with the first line that is none
   */
  public static Map<String, Long> parse(String text) {
    Map<String, Long> stacks = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Matcher of = LINE.matcher(line);
      if (!of.matches()) {
        throw new IllegalArgumentException("'" + line + "' is no stack with how often it was seen");
      }
      stacks.merge(of.group(1), Long.valueOf(of.group(2)), Long::sum);
    }
    return stacks;
  }
}
