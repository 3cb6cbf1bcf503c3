package echoladder.harness.tune;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Prescription;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.knobs.Knobs;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.sockets.EphemeralPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reserves ports of its network namespace, which must be one of its own, and says what the ladder makes of them. */
final class ReservedPortsProcess {
  private static final String KEY = "net.ipv4.ip_local_reserved_ports";

  private ReservedPortsProcess() {}

  /** Argument: a folder for the journals. */
  public static void main(String[] args) throws IOException {
    SysTree tree = SysTree.own();
    tree.write("net.ipv4.ip_local_port_range", "32768 60999");
    String list =
        IntStream.iterate(32_768, first -> first < 60_999, first -> first + 16)
            .mapToObj(first -> first + "-" + (first + 14))
            .collect(Collectors.joining(","));
    tree.write(KEY, list);
    System.out.println("list of " + list.length() + " characters: " + list.equals(tree.read(KEY)));
    EphemeralPorts ports = EphemeralPorts.read();
    System.out.println("usable: " + ports.usable() + " of " + (ports.last() - ports.first() + 1));
    Examination found = examine(0);
    found.rows().stream()
        .filter(row -> row.limit().equals(KnownLimit.PORTS.id()))
        .forEach(row -> System.out.println("doctor for 2,000 by one tuple: " + row.answer() + ", " + row.connections()));
    Checkout checkout = new Checkout(Path.of("..").toAbsolutePath().normalize());
    Knobs knobs = Knobs.of(checkout, ServerManifest.all(checkout));
    // Outside of the range, and inside.
    for (int port : List.of(9_000, 32_783)) {
      String written = String.valueOf(new Prescription(examine(port), knobs).files().get(Prescription.SYSCTL));
      SettingsProfile.parse(written, "written", "written").knobs().stream()
          .filter(knob -> knob.key().equals(KEY))
          .forEach(knob -> System.out.println("written for port " + port + ": " + said(knob.value(), list, port)));
    }
    Tuning tuning = new Tuning(tree, new StateFolder(Path.of(args[0], "state"), null));
    tuning.apply(SettingsProfile.parse(KEY + " = 9000", "p", "p"), false);
    System.out.println("applied: " + said(String.valueOf(tree.read(KEY)), list, 9_000));
    Tuning.Restored restored = tuning.restore(null, false);
    System.out.println("restored: " + restored.restored() + ", failed " + restored.failed());
    System.out.println("as before: " + list.equals(tree.read(KEY)));
  }

  private static Examination examine(int port) {
    return Doctor.examine(new Question(2_000, Role.BOTH, ServerModel.unnamed(), port, 1L), HostFactsReader.read());
  }

  private static String said(String ports, String before, int port) {
    String with = Values.covering(KEY, before, Integer.toString(port));
    return ports.equals(before) ? "the ports of before" : ports.equals(with) ? "the ports of before and " + port : ports;
  }
}
