package echoladder.harness.run;

import echoladder.client.HttpAsk;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Jdks;
import echoladder.harness.profile.SymbolsOfJvm;
import echoladder.harness.results.OwnRecord;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import echoladder.harness.study.SmallBuffers;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of the study with what it was told there.
 *
 * @param jvmFlags that a profile adds; none = as the study says
 */
public record ServerUnderTest(Study.Entry entry, ServerManifest manifest, List<String> jvmFlags) {
  /** As the study says. */
  public ServerUnderTest(Study.Entry entry, ServerManifest manifest) {
    this(entry, manifest, List.of());
  }

  /** This server with frames that perf can walk, where it runs on a JVM. */
  public ServerUnderTest withFramePointers() {
    return onJvm() ? new ServerUnderTest(entry, manifest, List.of(SymbolsOfJvm.FRAME_POINTERS)) : this;
  }

  /** Names what it has compiled; null where it runs on no JVM that is started here. */
  public @Nullable SymbolsOfJvm symbols() {
    return onJvm() ? new SymbolsOfJvm(java().resolveSibling("jcmd")) : null;
  }

  private boolean onJvm() {
    return manifest.own() == null && manifest.runtime().equals("jvm");
  }

  private Path java() {
    return entry.jdk() == null ? Jdks.java() : Jdks.java(entry.jdk());
  }

  List<String> argv() {
    return argv(ServerSettings.DEFAULT.port());
  }

  /** The command that starts the server at a port; 0 = any. */
  List<String> argv(int port) {
    if (manifest.own() != null) {
      return manifest.own().argv();
    }
    Path java = java();
    boolean several = !entry.settings().client().targetAddresses().isEmpty();
    ServerSettings here = entry.settings().network() == null ? ServerSettings.DEFAULT : ServerSettings.DEFAULT.atEveryAddress();
    ServerSettings settings = several ? here.atAllOfLoopback() : here;
    List<String> argv = manifest.argv(java, settings.at(port).with(entry.options()).waiting(backlog()));
    argv.addAll(argv.indexOf(java.toString()) + 1, jvmFlags);
    return argv;
  }

  /** Connections that may wait for its accept(). */
  public int backlog() {
    Integer own = entry.settings().server().backlog();
    return own == null ? ServerSettings.DEFAULT.backlog() : own;
  }

  /** Whether it speaks TLS. */
  public boolean tls() {
    return "on".equals(entry.options().get("tls"));
  }

  public Protocol protocol() {
    return manifest.speaks();
  }

  /** What it is asked over HTTP or where over WebSocket, and by which paths it pushes text. */
  public HttpAsk asked() {
    return manifest.own() == null ? HttpAsk.ECHO : manifest.own().ask();
  }

  public LoadTool tool() {
    return LoadTools.ofId(entry.client());
  }

  /** For the record; with {@code attached}, nobody here knows its options. */
  ServerRecord record(boolean attached, StudyLoad load) {
    return new ServerRecord(
        entry.label(),
        manifest.name(),
        manifest.title(),
        manifest.role(),
        manifest.runtime(),
        attached ? null : manifest.inForce(entry.options()),
        attached || load.staged() != null || load.publish() != null
            ? null
            : SmallBuffers.readsPerMessage(manifest, entry.options(), load.messageBytes()),
        manifest.own() == null ? null : OwnRecord.of(manifest.own()));
  }
}
