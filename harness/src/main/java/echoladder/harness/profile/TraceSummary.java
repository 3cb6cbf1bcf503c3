package echoladder.harness.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code perf trace -s} printed: a table of system calls for each thread that made some. Here those of all threads are added
 * up. Pure.
 */
public final class TraceSummary {
  /** Above the tables, with the columns of errors that perf has since 4.20. */
  private static final Pattern HEAD = Pattern.compile("\\s*syscall\\s+calls\\s+errors\\s+total\\b.*");

  /** A name as perf knows it, a number where it does not; the calls, and those that failed. */
  private static final Pattern ROW = Pattern.compile("\\s*([A-Za-z0-9_]{1,64})\\s+(\\d{1,15})\\s+(\\d{1,15})\\s+[\\d.]+\\s.*");

  private TraceSummary() {}

  /**
   * Calls of one kind.
   *
   * @param name of the system call
   * @param calls how many, those that failed among them
   * @param failed how many of them the kernel answered by an error, such as EAGAIN
   */
  public record Calls(String name, long calls, long failed) {}

  /**
   * Reads it.
   *
   * @return by how often, the most first; none where no call was made
   * @throws IllegalArgumentException where it is no such text
   */
  public static List<Calls> parse(String text) {
    Map<String, Calls> all = new TreeMap<>();
    boolean any = text.contains("Summary of events");
    boolean table = false;
    for (String line : text.lines().toList()) {
      if (HEAD.matcher(line).matches()) {
        table = true;
        continue;
      }
      Matcher row = ROW.matcher(line);
      if (table && row.matches()) {
        Calls of = new Calls(row.group(1), Long.parseLong(row.group(2)), Long.parseLong(row.group(3)));
        all.merge(of.name(), of, (a, b) -> new Calls(a.name(), a.calls() + b.calls(), a.failed() + b.failed()));
      } else if (line.isBlank()) {
        // A table ends with a blank line, and has one or two above it.
        table = false;
      }
    }
    if (!any) {
      throw new IllegalArgumentException("perf trace printed no 'Summary of events': " + text.lines().findFirst().orElse("nothing"));
    }
    List<Calls> sorted = new ArrayList<>(all.values());
    sorted.sort(Comparator.comparingLong(Calls::calls).reversed().thenComparing(Calls::name));
    return sorted;
  }
}
