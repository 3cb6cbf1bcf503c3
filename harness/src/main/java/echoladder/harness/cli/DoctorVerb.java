package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.ClientTls;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.ExaminationText;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.PrescribedFiles;
import echoladder.harness.doctor.Prescription;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.doctor.Surroundings;
import echoladder.harness.knobs.Knobs;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.NetworkLink;
import echoladder.openloop.command.AmountOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code ladder doctor}: whether this host can hold so many connections. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Compare every limit of this host with what N connections need, or look at a process that runs; change nothing.",
    footer = {
      "",
      "Example: what a million connections to virtual threads would meet here, with the arithmetic",
      "  ladder doctor --connections 1000000 --server virtual-threads --explain",
      "",
      "Example: what 20,000 subscribers need that platform threads push to, each with a thread that reads and one that writes",
      "  ladder doctor --connections 20000 --server platform-threads --option traffic=push",
      "",
      "Example: the files that give this host what 50,000 connections need",
      "  ladder doctor --connections 50000 --server netty --write tuned; sudo ./ladder tune apply tuned/sysctl.d/90-echo-ladder.conf",
      "",
      "Example: a server that stops at some number of connections: which limit is it, and the command that lifts it",
      "  sudo ladder doctor --pid $(pgrep -o nginx)",
      "",
      "Exit status: 0 in reach as this host is; 1 out of reach, or in reach only after lifting what is listed;",
      "2 bad usage. With --pid: 0 no limit stops it now (or before N); 1 one does; 3 it is gone or may not be looked at."
    })
public final class DoctorVerb implements Callable<Integer> {
  @Option(
      names = "--connections",
      paramLabel = "N",
      converter = AmountOption.LargeCount.class,
      description = "How many, from 1 to 1000000000, e.g. 100k; needed without --pid.")
  private @Nullable Long connections;

  @Mixin private final ProcessOption process = ProcessOption.none();

  @Option(names = "--server", paramLabel = "NAME", description = "Which server; its memory and threads count.")
  private @Nullable String server;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description = "With --server, an option that it is told, e.g. traffic=push: what a connection costs may depend on it.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "both",
      description = "What runs on this host: server, client or both. Default: ${DEFAULT-VALUE}.")
  private String role = "both";

  @Option(names = "--port", paramLabel = "P", description = "The port on which the server shall listen. Default: any.")
  private int port;

  @Option(
      names = "--tuples",
      paramLabel = "N",
      converter = AmountOption.LargeCount.class,
      description = "Distinct (source, destination, port) of the client. Default: with both ends here as many as "
          + "127.0.0.0/8 gives, else this host's addresses.")
  private @Nullable Long tuples;

  @Option(names = "--tls", description = "The open-loop client speaks TLS 1.3, which takes memory per connection.")
  private boolean tls;

  @Option(names = "--json", description = "Print it all as one JSON object.")
  private boolean json;

  @Option(names = "--explain", description = "Print the arithmetic below each row.")
  private boolean explain;

  @Option(
      names = "--write",
      paramLabel = "DIR",
      description = "Also write the files that give this host what is needed: kernel settings, limits of logins and of a systemd "
          + "service (threads in files of their own), each line with its arithmetic, none lower than what is in force. 'tune apply DIR/"
              + Prescription.SYSCTL
          + "' sets the first.")
  private @Nullable Path write;

  @Option(names = "--overwrite", description = "With --write, replace files there that set something else.")
  private boolean overwrite;

  @Override
  public Integer call() throws InterruptedException {
    if (process.asked()) {
      return process.look(connectionsOfProcess(), json, explain);
    }
    if (overwrite && write == null) {
      throw Refusal.badUsage("--overwrite goes with --write DIR");
    }
    Examination found = Doctor.examine(question(), HostFactsReader.read());
    if (write != null) {
      write(found, write);
    }
    List<String> outside = Surroundings.notes();
    String network = NetworkLink.complaint();
    if (json) {
      JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      ObjectNode tree = mapper.valueToTree(found);
      tree.set("outside", mapper.valueToTree(outside));
      System.out.println(mapper.writeValueAsString(tree.put("no_network", network)));
    } else {
      ExaminationText.lines(found, explain, write).forEach(System.out::println);
      if (!outside.isEmpty()) {
        System.out.println("\noutside the kernel:");
        outside.forEach(note -> System.out.println("  " + note));
      }
      System.out.println(
          "\n" + (network == null ? "a study's network (key network) can be made here" : network));
    }
    System.out.flush();
    return found.reach() == Examination.Reach.IN_REACH ? 0 : 1;
  }

  private void write(Examination found, Path dir) {
    Checkout checkout = Checkout.find();
    Prescription prescription = new Prescription(found, Knobs.of(checkout, ServerManifest.all(checkout)));
    List<String> said = PrescribedFiles.write(dir, prescription.files(), overwrite);
    prescription.notes().forEach(note -> System.err.println("ladder: " + note));
    said.forEach(sentence -> System.err.println("ladder: " + sentence));
  }

  private @Nullable Long connectionsOfProcess() {
    if (server != null || !options.isEmpty() || !role.equals("both") || port != 0 || tuples != null || tls || write != null || overwrite) {
      throw Refusal.badUsage(
          "--pid looks at a process as it is: --server, --option, --role, --port, --tuples, --tls and --write are of a host without it;"
              + " leave them out");
    }
    return connections == null ? null : (Long) inRange(connections);
  }

  private static long inRange(long connections) {
    if (connections < 1 || connections > Question.MOST_CONNECTIONS) {
      throw Refusal.badUsage("--connections %d is not from 1 to %d".formatted(connections, Question.MOST_CONNECTIONS));
    }
    return connections;
  }

  private Question question() {
    if (connections == null) {
      throw Refusal.badUsage("needed: --connections N, what this host shall hold; or --pid PID, a process that runs");
    }
    long wanted = inRange(connections);
    if (port < 0 || port > 65_535) {
      throw Refusal.badUsage("--port " + port + " is not from 0 to 65535");
    }
    if (tuples != null && (tuples < 1 || tuples > 1_000_000_000)) {
      throw Refusal.badUsage("--tuples " + tuples + " is not from 1 to 1000000000");
    }
    return new Question(wanted, role(), model(), port, tuples, tls ? ClientTls.RECORDS : ClientTls.PLAIN);
  }

  private Role role() {
    for (Role known : Role.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(role)) {
        return known;
      }
    }
    throw Refusal.badUsage("--role " + role + " is not one of server, client and both");
  }

  private ServerModel model() {
    if (server == null) {
      if (!options.isEmpty()) {
        throw Refusal.badUsage("--option goes with --server NAME");
      }
      return ServerModel.unnamed();
    }
    ServerManifest manifest = ServerManifest.named(server, ServerManifest.all(Checkout.find()));
    options.forEach(
        (option, value) -> {
          String wrong = manifest.complaint(option, value);
          if (wrong != null) {
            throw Refusal.badUsage("--option " + option + ": " + wrong);
          }
        });
    return ServerModel.of(manifest, manifest.resolved(options));
  }
}
