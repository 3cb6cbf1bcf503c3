package echoladder.harness.host;

import echoladder.openloop.run.ServerLook;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A load's view of a server that a control process has started. */
final class RemoteLook implements ServerLook {
  private final HostLink link;
  private @Nullable String cpus;

  RemoteLook(HostLink link) {
    this.link = link;
  }

  @Override
  public Seen look() {
    try {
      HostReplies.Look seen = link.ask(HostOp.LOOK, null, HostReplies.Look.class);
      cpus = seen.cpus();
      return new Seen(seen.atNs() - link.clock().aheadNs(), seen.cpuNs(), seen.rssBytes(), seen.failure());
    } catch (IOException e) {
      return new Seen(System.nanoTime(), null, null, String.valueOf(e.getMessage()));
    }
  }

  /** As they were at the last look. */
  @Override
  public @Nullable String cpus() {
    return cpus;
  }

  @Override
  public @Nullable Double compileSeconds() {
    try {
      return link.ask(HostOp.COMPILERS, null, HostReplies.Seconds.class).seconds();
    } catch (IOException e) {
      // It only ends the warm-up earlier; a lost host is said by whoever asks it for more.
      return null;
    }
  }
}
