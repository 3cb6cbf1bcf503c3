package echoladder.harness.run;

import echoladder.harness.host.EchoCheck;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.server.Attachment;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place where a rung is climbed: this host or several, their settings, and the addresses between which the client connects.
 *
 * @param contender whose server the rung gets
 */
public record RungPlace(RunContext context, Contender contender) {
  /** The hosts of a run over several; null of one on this host. */
  public @Nullable Fleet hosts() {
    return context.setup().hosts();
  }

  /** Why a host of the run is lost; null while all are there, and of a run on one. */
  public @Nullable String lost() {
    Fleet hosts = hosts();
    return hosts == null ? null : hosts.lost();
  }

  /** Those of this host, or of all hosts. */
  public HostSettings hostSettings() throws IOException {
    Fleet hosts = hosts();
    return hosts == null ? HostSettings.read() : hosts.settings();
  }

  /** What differs from before, or that a host which is there could not say. */
  public List<String> changedSince(HostSettings before) {
    try {
      return before.changes(hostSettings());
    } catch (IOException e) {
      return lost() != null ? List.of() : List.of("not known, as they could not be read after the rung: " + e.getMessage());
    }
  }

  /** One echo from wherever the load will come from. */
  public void check(RungServer server) throws IOException {
    Fleet hosts = hosts();
    if (hosts != null) {
      hosts.check(contender.protocol(), server.target());
      hosts.compareClocks();
      return;
    }
    String source = sources().isEmpty() ? null : sources().getFirst();
    if (server instanceof OwnRunning own) {
      own.check(source);
    } else {
      EchoCheck.of(contender.protocol(), server.target(), source);
    }
  }

  /** Where the client connects from: as the command line says, else the study. */
  public List<String> sources() {
    return context.setup().sources().isEmpty() ? contender.entry().settings().client().sourceAddresses() : context.setup().sources();
  }

  /** What is in the inventory is the user's to load. */
  public List<String> allowed() {
    Attachment attached = context.setup().attached();
    Fleet hosts = hosts();
    return hosts != null ? List.of(hosts.serverAddress()) : attached == null ? List.of() : attached.allowed();
  }
}
