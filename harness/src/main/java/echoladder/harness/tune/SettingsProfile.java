package echoladder.harness.tune;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of kernel settings in the form of sysctl.conf(5).
 *
 * @param name e.g. {@code 10k}
 * @param knobs in the order of the file, each key once
 */
public record SettingsProfile(String name, List<Knob> knobs) {
  /** More than sysctl(8) has ever had of keys that matter here; a larger file is no profile. */
  private static final int MOST_BYTES = 1 << 20;

  private static final String SUFFIX = ".conf";
  private static final Pattern LINE = Pattern.compile("(-?)\\s*([\\w./-]+)\\s*=\\s*(.*)");

  /** The profiles for connections over loopback, each with every knob of the one before; the name says for how many. */
  public static final List<String> SIZES = List.of("10k", "100k", "200k", "1m");

  public SettingsProfile {
    knobs = List.copyOf(knobs);
  }

  /** The name of the next higher profile for so many connections over loopback; beyond the highest that one. */
  public static String forConnections(long connections) {
    return SIZES.stream().filter(name -> connections(name) >= connections).findFirst().orElse(SIZES.getLast());
  }

  /** For how many connections a profile of {@link #SIZES} is: {@code 10k} is 10,000. */
  public static long connections(String size) {
    long unit = size.endsWith("m") ? 1_000_000 : 1_000;
    return Long.parseLong(size.substring(0, size.length() - 1)) * unit;
  }

  /** The names of all profiles in sysctl/, sorted. */
  public static List<String> names(Checkout checkout) {
    return List.copyOf(known(checkout.root().resolve("sysctl")).keySet());
  }

  /**
   * The profile of that name in sysctl/, or of that path.
   *
   * @throws Refusal (bad usage) where there is none, or it has a line that is no setting
   */
  public static SettingsProfile find(Checkout checkout, String name) {
    Path dir = checkout.root().resolve("sysctl");
    if (name.endsWith(SUFFIX)) {
      Path file = Path.of(name);
      String last = file.getFileName().toString();
      return read(file, last.substring(0, last.length() - SUFFIX.length()));
    }
    Map<String, Path> known = known(dir);
    Path file = known.get(name);
    if (file == null) {
      throw Refusal.badUsage(
          "there is no profile '%s' in %s; known: %s; or give the path of a file that ends in .conf"
              .formatted(name, checkout.display(dir), String.join(", ", known.keySet())));
    }
    return read(file, name);
  }

  private static Map<String, Path> known(Path dir) {
    Map<String, Path> known = new TreeMap<>();
    try (Stream<Path> files = Files.list(dir)) {
      files.forEach(
          file -> {
            String last = file.getFileName().toString();
            if (last.endsWith(SUFFIX)) {
              known.put(last.substring(0, last.length() - SUFFIX.length()), file);
            }
          });
    } catch (IOException e) {
      throw Refusal.badUsage("the profiles cannot be listed: " + ErrorText.of(e));
    }
    return known;
  }

  private static SettingsProfile read(Path file, String name) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw Refusal.badUsage(file + ": larger than 1 MiB, which no profile is");
      }
      return parse(Files.readString(file), name, file.toString());
    } catch (IOException e) {
      throw Refusal.badUsage("the profile " + file + " cannot be read: " + ErrorText.of(e));
    }
  }

  /** From a text; {@code shown} is how messages name it. */
  static SettingsProfile parse(String text, String name, String shown) {
    Map<String, Knob> knobs = new TreeMap<>();
    List<Knob> order = new ArrayList<>();
    List<String> comments = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).trim();
      if (line.isEmpty()) {
        comments.clear();
      } else if (line.startsWith("#") || line.startsWith(";")) {
        comments.add(line.substring(1).trim());
      } else {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches() || !SysTree.isKey(matcher.group(2)) || matcher.group(3).isBlank()) {
          throw Refusal.badUsage(shown + ":" + (i + 1) + ": '" + line + "' is no setting; expected KEY = VALUE");
        }
        String key = matcher.group(2).replace('/', '.');
        Knob knob = new Knob(key, matcher.group(3), !matcher.group(1).isEmpty(), comments);
        comments.clear();
        if (knobs.put(key, knob) != null) {
          throw Refusal.badUsage(shown + ":" + (i + 1) + ": " + key + " stands here a second time");
        }
        order.add(knob);
      }
    }
    if (order.isEmpty()) {
      throw Refusal.badUsage(shown + ": holds no setting");
    }
    return new SettingsProfile(name, order);
  }
}
