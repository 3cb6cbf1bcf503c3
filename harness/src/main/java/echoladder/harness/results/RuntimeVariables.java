package echoladder.harness.results;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment variables by which a JVM, a Go program or the C library runs otherwise: whatever the harness starts
 * inherits them.
 */
final class RuntimeVariables {
  private static final Pattern TELLING =
      Pattern.compile(
          "JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|GOMEMLIMIT|GODEBUG|GOGC|GOMAXPROCS|GLIBC_TUNABLES|MALLOC_.*|LD_.*");

  private static final List<String> SECRETS = List.of("pass", "secret", "token", "credential");

  private RuntimeVariables() {}

  /** Those that are set, with their values; a property that sounds like a secret is left out of its value. */
  static Map<String, String> of(Map<String, String> environment) {
    Map<String, String> telling = new TreeMap<>();
    environment.forEach(
        (name, value) -> {
          if (TELLING.matcher(name).matches()) {
            telling.put(name, String.join(" ", List.of(value.strip().split("\\s+")).stream().map(RuntimeVariables::shown).toList()));
          }
        });
    return telling;
  }

  private static String shown(String word) {
    int equals = word.indexOf('=');
    String name = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
    return equals >= 0 && SECRETS.stream().anyMatch(name::contains) ? word.substring(0, equals) + "=..." : word;
  }
}
