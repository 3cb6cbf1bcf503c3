package echoladder.harness.run;

import echoladder.harness.client.Clients;
import echoladder.harness.common.Checkout;
import echoladder.harness.host.Fleet;
import echoladder.harness.plan.Plan;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.SmallBuffers;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.IdlePolling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The study, servers, clients and hosts of a run.
 *
 * @param study with what its processors do when idle as it comes to here
 * @param servers every known server by name
 * @param clients makes the load client of each rung
 * @param attached the server of somebody else that is climbed; null = servers are started here
 * @param sources addresses that the client connects from; none = its choice
 * @param hosts where servers and clients are; null = both are here, or the server is somebody else's
 */
public record RunSetup(
    Checkout checkout,
    Study study,
    Map<String, ServerManifest> servers,
    Clients clients,
    @Nullable Attachment attached,
    List<String> sources,
    @Nullable Fleet hosts) {
  public RunSetup {
    // Hosts of a run are not asked beforehand, and one whose server somebody else started is not asked at all.
    boolean here = hosts == null && (attached == null || attached.sameHost());
    study = study.idle(here && IdlePolling.complaint() == null);
    sources = List.copyOf(sources);
  }

  /** On this host, or against a server that somebody else has started. */
  public RunSetup(
      Checkout checkout, Study study, Map<String, ServerManifest> servers, Clients clients, @Nullable Attachment attached,
      List<String> sources) {
    this(checkout, study, servers, clients, attached, sources, null);
  }

  /** The processors of server and client here; on hosts of their own the inventory names them. */
  public CpuPinning placed(Study.Entry entry) {
    return Testbed.of(this).placed(entry);
  }

  /** The study's servers that are known, in its order. */
  public List<ServerUnderTest> contenders() {
    List<ServerUnderTest> all = new ArrayList<>();
    for (Study.Entry entry : study.servers()) {
      ServerManifest manifest = servers.get(entry.server());
      if (manifest != null) {
        all.add(new ServerUnderTest(entry, manifest));
      }
    }
    return all;
  }

  /** The server of that label. */
  public ServerUnderTest contender(String label) {
    return contenders().stream()
        .filter(contender -> contender.entry().label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("planned for a server that the study does not have: " + label));
  }

  /** Whether a server that is climbed leaves no core for the ladder itself. */
  public boolean crowded(Plan plan) {
    return contenders().stream()
        .map(ServerUnderTest::entry)
        .filter(entry -> plan.rungs().stream().anyMatch(rung -> rung.label().equals(entry.label()) && rung.attempted()))
        .anyMatch(entry -> placed(entry).crowded());
  }

  /** Warnings of servers whose buffer is smaller than a message; of somebody else's nobody knows. */
  public List<String> smallBuffers() {
    return Testbed.of(this).startsServers() ? SmallBuffers.warnings(study, servers) : List.of();
  }

  /** Servers as run.json lists them. */
  public List<ServerRecord> recorded() {
    boolean attachedTo = !Testbed.of(this).startsServers();
    return contenders().stream().map(contender -> contender.record(attachedTo, study.load(contender.entry()))).toList();
  }

  /** How the embedded client's process is started, for the record. */
  public List<String> clientCommand() {
    return checkout.portable(clients.openLoop());
  }
}
