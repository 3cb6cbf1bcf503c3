package echoladder.harness.host;

import echoladder.openloop.shard.ShardLine;
import java.io.IOException;
import java.time.Duration;

/** The way to a client process on another host, through the control process there. */
final class RemoteShardLine implements ShardLine {
  /** The longest answer is that to the first line: a JVM starts and rehearses. */
  private static final Duration BOUND = Duration.ofMinutes(2);

  private final HostLink link;
  private final int number;

  private RemoteShardLine(HostLink link, int number) {
    this.link = link;
    this.number = number;
  }

  static RemoteShardLine open(HostLink link) throws IOException {
    return new RemoteShardLine(link, link.ask(HostOp.START_SHARD, null, HostReplies.Shard.class, BOUND).number());
  }

  @Override
  public String name() {
    return "client process %d of host %s".formatted(number, link.host());
  }

  @Override
  public String ask(String request) throws IOException {
    return link.ask(HostOp.ASK_SHARD, new HostReplies.ShardText(number, request), HostReplies.ShardText.class, BOUND).line();
  }

  @Override
  public long clockAheadNs() {
    return link.clock().aheadNs();
  }

  @Override
  public void close() {
    try {
      link.ask(HostOp.END_SHARD, new HostReplies.Shard(number), HostReplies.Done.class, BOUND);
    } catch (IOException e) {
      // A lost host's processes end with its connection; of another one the control process ends them when the run does.
      return;
    }
  }
}
