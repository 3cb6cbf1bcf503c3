package echoladder.harness.run;

import echoladder.harness.client.Clients;
import echoladder.harness.common.Checkout;
import echoladder.harness.host.Fleet;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.results.Environment;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.SmallBuffers;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.IdlePolling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

  /** What figures depend on besides the programs: of the host that the server is on, with the client hosts beside it. */
  public Map<String, @Nullable Object> environment() {
    if (hosts == null) {
      Map<String, @Nullable Object> here = Environment.read(checkout);
      return study.delayed(Quotable.NETWORK_DELAY_LEAST_NS) ? LabMark.overNetwork(here) : here;
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(hosts.serverEnvironment());
    all.put(Environment.HOSTS, hosts.environment());
    all.put(LabMark.ONE_KERNEL, hosts.onOneKernel());
    return all;
  }

  /** The processors of server and client here; on hosts of their own the inventory names them. */
  Placed placed(Study.Entry entry) {
    return hosts != null ? new Placed(null) : Placed.of(study.load(entry).cpus());
  }

  /** The study's servers that are known, in its order. */
  List<Contender> contenders() {
    List<Contender> all = new ArrayList<>();
    for (Study.Entry entry : study.servers()) {
      ServerManifest manifest = servers.get(entry.server());
      if (manifest != null) {
        all.add(new Contender(entry, manifest));
      }
    }
    return all;
  }

  /** Warnings of servers whose buffer is smaller than a message; of somebody else's nobody knows. */
  public List<String> smallBuffers() {
    return attached == null ? SmallBuffers.warnings(study, servers) : List.of();
  }

  /** The same for the record. */
  public List<ServerRecord> recorded() {
    return contenders().stream().map(contender -> contender.record(attached != null, study.load(contender.entry()))).toList();
  }

  /** How the embedded client's process is started, for the record. */
  public List<String> clientCommand() {
    return checkout.portable(clients.openLoop());
  }
}
