package echoladder.harness.results;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables by which a JVM, a Go program or the C library runs otherwise: whatever the harness starts
 * inherits them.
 */
final class RuntimeVariables {
  private static final Pattern TELLING =
      Pattern.compile(
          "JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|GOMEMLIMIT|GODEBUG|GOGC|GOMAXPROCS|GLIBC_TUNABLES|MALLOC_.*|LD_.*");

  private static final List<String> ASKED_FOR =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT");

  private static final List<String> SECRETS = List.of("pass", "secret", "token", "credential");

  private RuntimeVariables() {}

  /**
   * Those that are set, with their values, and those asked for most with null where they are not. A property that sounds
   * like a secret is left out of its value.
   */
  static Map<String, @Nullable String> of(Map<String, String> environment) {
    Map<String, @Nullable String> telling = new TreeMap<>();
    ASKED_FOR.forEach(name -> telling.put(name, null));
    environment.forEach(
        (name, value) -> {
          if (TELLING.matcher(name).matches()) {
            telling.put(name, String.join(" ", List.of(value.strip().split("\\s+")).stream().map(RuntimeVariables::shown).toList()));
          }
        });
    return telling;
  }

  /** A word of a command line; without its value where its name sounds like a secret. */
  static String shown(String word) {
    int equals = word.indexOf('=');
    String name = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
    return equals >= 0 && SECRETS.stream().anyMatch(name::contains) ? word.substring(0, equals) + "=..." : word;
  }
}
