package echoladder.harness.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From the command of a server.yaml to one that runs. Pure. */
final class ServerCommand {
  /** The part of a command that stands for the JVM's flags in force. */
  private static final String JVM = "{jvm}";
  private static final String VALUE = "{value}";

  private ServerCommand() {}

  /** As {@link ServerManifest#argv(Path, Map)} says. */
  static List<String> argv(ServerManifest manifest, Path java, Map<String, String> chosen) {
    List<String> argv = environment(manifest.options(), chosen);
    for (String part : manifest.command()) {
      if (part.equals(JVM)) {
        manifest.options().forEach(
            (name, known) -> {
              String value = chosen.getOrDefault(name, known.fallback());
              if (known.flag() != null && !value.equals(ServerManifest.UNSET)) {
                argv.add(known.flag().replace(VALUE, value));
              }
            });
      } else {
        argv.add(part.replace("{java}", java.toString()).replace("{dir}", manifest.dir().toString()));
      }
    }
    return argv;
  }

  /** What the environment is given, as {@code NAME=value} behind env(1), which execs; empty where nothing is. */
  private static List<String> environment(Map<String, ServerManifest.Option> options, Map<String, String> chosen) {
    List<String> variables = new ArrayList<>();
    options.forEach(
        (option, known) -> {
          String value = chosen.getOrDefault(option, known.fallback());
          if (known.variable() != null && !value.equals(ServerManifest.UNSET)) {
            variables.add(known.variable() + "=" + value);
          }
        });
    if (!variables.isEmpty()) {
      variables.addFirst("env");
    }
    return variables;
  }
}
