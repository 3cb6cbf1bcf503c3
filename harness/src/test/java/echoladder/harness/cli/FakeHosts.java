package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.host.DriftingHost;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Hosts that are this one: an {@code ssh} on PATH that runs the command here, an {@code ansible-inventory} that prints the inventory
 * as it is, and a ladder of this build's classes. Each process of theirs has {@link #mark} on its command line.
 */
final class FakeHosts {
  /** What a login that fails looks like. */
  private static final String SSH =
      """
      #!/bin/sh
      while [ "$1" != -- ]; do shift; done
      host=$2 command=$3
      case $host in
        shut) echo "ssh: connect to host shut port 22: Connection refused" >&2; exit 255 ;;
        locked) echo "load@locked: Permission denied (publickey)." >&2; exit 255 ;;
        chatty) echo "Welcome to chatty"; exec sh -c "$command" ;;
        ahead) exec unshare --time --fork --kill-child=TERM --monotonic 100000 --boottime 100000 sh -c "$command" ;;
      esac
      exec sh -c "$command"
      """;

  /** A ladder whose control process says less of itself. */
  private static final String OLDER =
      """
      #!/bin/sh
      while read -r line; do
        id=${line#*:}
        id=${id%%,*}
        case $line in
          *HELLO*) echo "{\\"id\\":$id,\\"body\\":{\\"version\\":\\"0.1.0\\",\\"program\\":{\\"old.jar\\":\\"aa\\"}}}" ;;
          *) echo "{\\"id\\":$id,\\"body\\":{\\"ns\\":1}}" ;;
        esac
      done
      """;

  private final Path dir;
  private final Path home;

  /** In an empty folder; servers and studies are those of {@code home}. */
  FakeHosts(Path dir, Path home) throws IOException {
    this.dir = dir;
    this.home = home;
    program("bin/ssh", SSH);
    program("bin/ansible-inventory", "#!/bin/sh\ncat \"$2\"\n");
    ladder("same", "");
    program("drifting/ladder", ladderScript(home, mark(), "").replace("echoladder.harness.Ladder", DriftingHost.class.getName()));
    program("older/ladder", OLDER);
    ladder("other", ":" + Files.createDirectories(dir.resolve("another-library")));
    Files.createDirectories(dir.resolve("empty"));
  }

  private void ladder(String name, String more) throws IOException {
    program(name + "/ladder", ladderScript(home, mark(), more));
  }

  /** A {@code ./ladder} of this build's classes, with that mark on its command line and more on its class path. */
  static String ladderScript(Path home, String mark, String more) {
    return "#!/bin/sh\nexport ECHOLADDER_TEST_MARK=" + mark + "\nexec "
        + String.join(
            " ", Jdks.java().toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + home, "-Dmark=" + mark, "-cp", System.getProperty("java.class.path") + more,
            "echoladder.harness.Ladder", "\"$@\"")
        + "\n";
  }

  private void program(String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  /** On the command line of every control process. */
  String mark() {
    return dir.toString();
  }

  /** The environment of a ladder that finds them. */
  Map<String, String> environment() {
    return Map.of("PATH", dir.resolve("bin") + ":" + System.getenv("PATH"));
  }

  /** One without Ansible, also where this host has it: each folder of PATH that holds it is replaced by one that hands on to all else in there. */
  Map<String, String> withoutAnsible() throws IOException {
    String inventory = "ansible-inventory";
    Files.delete(dir.resolve("bin").resolve(inventory));
    Map<String, String> without = new HashMap<>(environment());
    List<String> path = new ArrayList<>();
    for (String folder : without.getOrDefault("PATH", "").split(":", -1)) {
      if (folder.isEmpty() || !Files.exists(Path.of(folder, inventory))) {
        path.add(folder);
        continue;
      }
      String others = "path-" + path.size();
      try (Stream<Path> programs = Files.list(Path.of(folder))) {
        for (Path program : programs.filter(of -> !of.endsWith(inventory)).toList()) {
          program(others + "/" + program.getFileName(), "#!/bin/sh\nexec '" + program + "' \"$@\"\n");
        }
      }
      path.add(dir.resolve(others).toString());
    }
    without.put("PATH", String.join(":", path));
    return without;
  }

  /** An inventory of a server and such clients; a client is its name, or {@code NAME=HOST} or {@code NAME=HOST=LADDER}. */
  Path inventory(String... clients) throws IOException {
    List<String> variables = new ArrayList<>();
    List<String> names = new ArrayList<>();
    variables.add(
        "\"s1\": {\"ansible_host\": \"s1\", \"echo_ladder_dir\": \"%s/same\", \"echo_ladder_address\": \"127.0.0.1\"}".formatted(dir));
    for (String client : clients) {
      String[] parts = client.split("=", -1);
      String ladder = parts.length > 2 ? parts[2] : "same";
      names.add("\"" + parts[0] + "\"");
      variables.add(
          "\"%s\": {\"ansible_host\": \"%s\", \"echo_ladder_dir\": \"%s/%s\"}"
              .formatted(parts[0], parts.length > 1 ? parts[1] : parts[0], dir, ladder));
    }
    return Files.writeString(
        dir.resolve("inventory.json"),
        """
        {"_meta": {"hostvars": {%s}}, "servers": {"hosts": ["s1"]}, "clients": {"hosts": [%s]}}
        """
            .formatted(String.join(",\n", variables), String.join(", ", names)));
  }

  /** What bears the mark and still runs, and what has been started for it: servers and client processes hand on their environment. */
  List<ProcessHandle> left() {
    return left(mark());
  }

  static List<ProcessHandle> left(String mark) {
    return ProcessHandle.allProcesses()
        .filter(process -> CommandLines.of(process).contains("mark=" + mark) || environment(process).contains("ECHOLADDER_TEST_MARK=" + mark))
        .toList();
  }

  private static String environment(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
