package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The beginning of a server that is to join the project: a server.yaml that works, with what is to be filled in. */
final class NewServer {
  private static final String TEMPLATE =
      """
      # This file works as it stands: NAME is go-echo under another name until you fill in your own program.
      #   ./ladder serve NAME                                    starts it
      #   ./ladder run smoke --servers floor,NAME                climbs it beside the floor
      #   mvn verify -Dcontract.server=NAME                      says what of the contract it keeps
      # servers/README.md is the contract, docs/server.schema.json all that may stand here. A program that keeps none of the
      # contract but the echo needs no such file: ./ladder run --own 'COMMAND' --port PORT

      # Stays: the name of this folder.
      name: NAME
      # Fill in: what reports call it, e.g. Rust, tokio.
      title: NAME
      # Fill in: tcp; http, where it answers POST /echo; or websocket, where GET /echo upgrades.
      protocol: tcp
      # Stays: reference is the floor alone.
      role: contender
      # Fill in: jvm or go, which answer POST /gc and tell of their pauses, or native, a program without a managed runtime.
      runtime: go
      # Fill in: your program as an argv, a text for each word. {dir} is this folder, {java} the java of JDK 25. The program gets
      # --host, --port, --backlog, --metrics-port, --drain and --stop-on-stdin-eof behind it, and prints the ready line.
      command: ["{dir}/../../go-echo/target/go-echo", "--server", "NAME"]
      # Fill in, where it has to be built: an argv that runs in this folder, and whose result belongs into target/.
      # build: [cargo, build, --release, --target-dir, target]
      # Fill in, where it takes more options: each is told to the program as --name value.
      # options:
      #   loops: {default: 0, min: 0, max: 1024, why: "0 = one per processor"}
      # Fill in, where it has a thread per connection: the doctor and the plan reckon with it.
      # threads_per_connection: 1
      """;

  private NewServer() {}

  /**
   * Writes it.
   *
   * @param name of the folder
   * @return what was written and what comes next, for people
   * @throws Refusal (bad usage) where the name is none or is taken, (cannot run) where the file cannot be written
   */
  static String write(Checkout checkout, String name, Map<String, ServerManifest> servers) {
    if (!name.matches("[a-z0-9][a-z0-9-]{0,63}")) {
      throw Refusal.badUsage("--new '" + name + "' is no name of a server: lower-case letters, digits and '-', at most 64");
    }
    Path folder = checkout.root().resolve("servers").resolve(name);
    Path file = folder.resolve(ServerManifest.FILE);
    if (servers.containsKey(name) || Files.exists(file)) {
      throw Refusal.badUsage("--new " + name + ": there is such a server already; take another name, or change its server.yaml");
    }
    try {
      Files.createDirectories(folder);
      Files.writeString(file, TEMPLATE.replace("NAME", name));
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write " + file + ": " + ErrorText.of(e));
    }
    return checkout.display(file) + " is written and works as it stands; it says what to fill in. Try it: ./ladder serve " + name;
  }
}
