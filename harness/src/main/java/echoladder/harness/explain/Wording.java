package echoladder.harness.explain;

import echoladder.harness.explain.Walls.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What of a pasted text says which error it is: its words, without what differs from one case to the next; and the numbers in it. */
final class Wording {
  private static final int MOST_CHARACTERS = 4_000;

  /** errno by number, as runtimes print it. */
  private static final Map<String, String> ERRNO =
      Map.ofEntries(
          Map.entry("11", "eagain"), Map.entry("12", "enomem"), Map.entry("23", "enfile"), Map.entry("24", "emfile"),
          Map.entry("28", "enospc"), Map.entry("32", "epipe"), Map.entry("98", "eaddrinuse"), Map.entry("99", "eaddrnotavail"),
          Map.entry("104", "econnreset"), Map.entry("105", "enobufs"), Map.entry("110", "etimedout"), Map.entry("111", "econnrefused"));

  private static final Pattern ERROR_NUMBER =
      Pattern.compile("(?i)(?:errno[ =:]*|os error |epoll_ctl failed: |connect error: |\\()(\\d{2,3})(?=[):\\]\\s]|$)");

  /** Addresses, times of day, dates, kernel's times, hexadecimal numbers, paths, process ids. */
  private static final Pattern NOISE =
      Pattern.compile(
          "(?i)"
              + String.join(
                  "|",
                  "\\b0x[0-9a-f]+",
                  "\\[[0-9a-f]*:[0-9a-f:.]*\\](?::\\d+)?",
                  "\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?",
                  "\\blocalhost:\\d+",
                  "\\b\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d+)?",
                  "\\b\\d{4}[-/]\\d\\d[-/]\\d\\dt?",
                  "\\[ *\\d+(?:\\.\\d+)?s?\\]",
                  "(?:pid|port|line|process|id)[ =:#]+\\d+",
                  "\\b\\d+#\\d+",
                  "(?<=[\\s('\"=]|^)/[\\w.*:/@-]+"));

  private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}_]+|k8s|ec2");

  /** A number, perhaps of thousands or millions, perhaps with its unit. */
  private static final Pattern COUNT =
      Pattern.compile(
          "(?i)(?<![\\w.,:/#-])(\\d{1,3}(?:[,' ]\\d{3})+|\\d+(?:\\.\\d+)?)(?: ?(k|m|million))?"
              + "(?: ?-?(ms|seconds|second|secs|sec|s|minutes|minute|mins|min|hours|hour|h|[kmg]i?b|bytes|%))?(?![\\w:/]|[.,-]\\w)");

  /** Words of sentences about an error; they tell of no error. */
  private static final Set<String> FILLERS =
      Set.of(
          ("it my the our we is are at of in on to an and or with for from by only after about around when why"
                  + " not no more than server client clients connections connection concurrent get gets got stops stop"
                  + " stopped stuck limit limited max maximum reaches reach reached beyond above cannot can hold holds"
                  + " users user sockets socket threads thread was were has have since seconds second minutes minute"
                  + " error app java exactly dies die drops drop dropped closed closes reset new accepts accept accepted"
                  + " running hours hour some")
              .split(" ", -1));

  /** A number is that of a limit where one of these is said of it, or nothing at all. */
  private static final Pattern OF_A_LIMIT =
      Pattern.compile(
          "(?i)\\b(stop(s|ped)?|stuck|limit(ed|s)?|max(imum)?|only|reach(es|ed)?|beyond|above|more than|connections?|clients?|users"
              + "|sockets?|threads?|idle|after|returns?|hold(s)?)\\b");

  private static final Pattern THREADS = Pattern.compile("(?i)\\bthreads?\\b");

  private Wording() {}

  /** The rules by which a page finds the same words and numbers, for {@link SearchTable}: patterns by name, without their flags. */
  static Map<String, Object> rules() {
    Map<String, Object> rules = new TreeMap<>();
    Map.of("errorNumber", ERROR_NUMBER, "noise", NOISE, "word", WORD, "count", COUNT, "ofALimit", OF_A_LIMIT, "threads", THREADS)
        .forEach((name, pattern) -> rules.put(name, pattern.pattern().replace("(?i)", "")));
    rules.put("errno", new TreeMap<>(ERRNO));
    rules.put("fillers", FILLERS.stream().sorted().toList());
    return rules;
  }

  /** The words of a line, in lower case; numbers of errors are their names. */
  static List<String> words(String line) {
    String text = cut(line);
    List<String> words = new ArrayList<>();
    ERROR_NUMBER.matcher(text).results().map(number -> ERRNO.get(number.group(1))).filter(name -> name != null).forEach(words::add);
    WORD.matcher(NOISE.matcher(text).replaceAll(" ").toLowerCase(Locale.ROOT)).results().map(MatchResult::group).forEach(words::add);
    return words;
  }

  static boolean isFiller(String word) {
    return FILLERS.contains(word);
  }

  /** The numbers of connections and the times in a line that speaks of a limit, or that has nothing but numbers. */
  static List<Asked> numbers(String line) {
    String text = NOISE.matcher(cut(line)).replaceAll(" ");
    if (!OF_A_LIMIT.matcher(text).find() && WORD.matcher(COUNT.matcher(text).replaceAll(" ")).find()) {
      return List.of();
    }
    boolean threads = THREADS.matcher(text).find();
    List<Asked> numbers = new ArrayList<>();
    for (MatchResult found : COUNT.matcher(text).results().toList()) {
      Asked number = number(found, threads);
      if (number != null && !numbers.contains(number)) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static @Nullable Asked number(MatchResult found, boolean threads) {
    String digits = found.group(1).replaceAll("[,' ]", "");
    if (digits.length() > 12) {
      return null;
    }
    String thousands = found.group(2) == null ? "" : found.group(2).toLowerCase(Locale.ROOT);
    double value = Double.parseDouble(digits) * (thousands.equals("k") ? 1_000 : thousands.isEmpty() ? 1 : 1_000_000);
    String unit = found.group(3) == null ? "" : found.group(3).toLowerCase(Locale.ROOT);
    long each = unit.startsWith("h") ? 3_600 : unit.startsWith("min") ? 60 : 1;
    boolean other = unit.endsWith("b") || unit.equals("ms") || unit.equals("bytes") || unit.equals("%");
    return other || value < 1 ? null : new Asked(Math.round(value * each), !unit.isEmpty(), threads);
  }

  private static String cut(String line) {
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) : line;
  }
}
