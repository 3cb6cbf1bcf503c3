package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.linux.BoundedLines;
import echoladder.linux.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A shard in a child process, asked over its stdin and answering on its stdout, a JSON line each. */
final class RemoteShard implements Shard {
  /** Its longest reply has the histograms of an interval, some hundred kilobytes. */
  private static final int REPLY_MOST_BYTES = 32 << 20;

  private final ChildProcess process;
  private final BoundedLines in;

  private RemoteShard(ChildProcess process) {
    this.process = process;
    this.in = new BoundedLines(process.stdout(), REPLY_MOST_BYTES);
  }

  static RemoteShard start(LoadPlan plan, int index, int shards, int loops) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(ClientJvm.command(ShardMain.class)).redirectError(ProcessBuilder.Redirect.INHERIT);
    ChildProcess process = ChildProcess.unguarded(builder, null, null);
    RemoteShard shard = new RemoteShard(process);
    try {
      shard.ask(new ShardRequest(ShardRequest.Op.OPEN, plan, index, shards, loops, 0, 0));
    } catch (IOException e) {
      process.close();
      throw e;
    }
    return shard;
  }

  private ShardReply ask(ShardRequest request) throws IOException {
    BoundedLines.@Nullable Line line;
    try {
      OutputStream out = process.stdin();
      out.write((JsonMapper.shared().writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      line = in.next();
    } catch (IOException e) {
      throw new IOException("client shard, pid " + process.pid() + ", is gone: " + e.getMessage(), e);
    }
    if (line == null) {
      throw new IOException("client shard, pid " + process.pid() + ", ended during " + request.op());
    }
    ShardReply reply = read(line);
    if (reply.error() != null) {
      throw new IOException("client shard, pid " + process.pid() + ": " + reply.error());
    }
    return reply;
  }

  private ShardReply read(BoundedLines.Line line) throws IOException {
    String what = "client shard, pid " + process.pid() + ", ";
    if (!line.whole()) {
      throw new IOException(what + "gave a reply of over %,d bytes, the bound".formatted(REPLY_MOST_BYTES));
    }
    try {
      return JsonMapper.shared().readValue(line.text(), ShardReply.class);
    } catch (JacksonException e) {
      throw new IOException(what + "gave something else than a reply: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public void ramp(long startNs) throws IOException {
    ask(ShardRequest.at(ShardRequest.Op.RAMP, startNs, 0));
  }

  @Override
  public void schedule(long startNs) throws IOException {
    ask(ShardRequest.at(ShardRequest.Op.SCHEDULE, startNs, 0));
  }

  @Override
  public void steady(long startNs, long endNs) throws IOException {
    ask(ShardRequest.at(ShardRequest.Op.STEADY, startNs, endNs));
  }

  @Override
  public void finish() throws IOException {
    ask(ShardRequest.of(ShardRequest.Op.FINISH));
  }

  @Override
  public void storm(long startNs) throws IOException {
    ask(ShardRequest.at(ShardRequest.Op.STORM, startNs, 0));
  }

  @Override
  public void rollCall(long startNs) throws IOException {
    ask(ShardRequest.at(ShardRequest.Op.ROLL_CALL, startNs, 0));
  }

  @Override
  public ShardStatus status() throws IOException {
    ShardStatus status = ask(ShardRequest.of(ShardRequest.Op.STATUS)).status();
    if (status == null) {
      throw new IOException("client shard answered STATUS without one");
    }
    return status;
  }

  @Override
  public void addIntervalTo(Map<Kind, Histogram> into) throws IOException {
    Map<Kind, byte[]> histograms = ask(ShardRequest.of(ShardRequest.Op.INTERVAL)).histograms();
    if (histograms == null) {
      throw new IOException("client shard answered INTERVAL without histograms");
    }
    for (var entry : histograms.entrySet()) {
      try {
        Histogram interval = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(entry.getValue()), 1);
        into.computeIfAbsent(entry.getKey(), k -> Recorders.emptyHistogram()).add(interval);
      } catch (DataFormatException e) {
        throw new IOException("client shard sent a broken histogram", e);
      }
    }
  }

  /** Asks the child to close, and ends it by force where it has not gone after a minute. */
  @Override
  public void close() {
    try {
      ask(ShardRequest.of(ShardRequest.Op.CLOSE));
      process.endsWithin(Duration.ofMinutes(1));
    } catch (IOException e) {
      // It is gone already, or as good as; whoever drives the load has been told by an earlier call.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.close();
    }
  }
}
