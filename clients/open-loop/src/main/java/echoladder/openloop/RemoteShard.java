package echoladder.openloop;

import echoladder.client.LoadPlan;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A shard in a child process, asked over its stdin and answering on its stdout, a JSON line each. */
final class RemoteShard implements Shard {
  private final Process process;
  private final BufferedWriter out;
  private final BufferedReader in;

  private RemoteShard(Process process) {
    this.process = process;
    this.out = process.outputWriter();
    this.in = process.inputReader();
  }

  static RemoteShard start(LoadPlan plan, int index, int shards, int loops) throws IOException {
    Process process =
        new ProcessBuilder(ClientJvm.command(ShardMain.class))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    RemoteShard shard = new RemoteShard(process);
    try {
      shard.ask(new ShardRequest(ShardRequest.Op.OPEN, plan, index, shards, loops, 0, 0));
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
    return shard;
  }

  private ShardReply ask(ShardRequest request) throws IOException {
    @Nullable String line;
    try {
      out.write(JsonMapper.shared().writeValueAsString(request));
      out.newLine();
      out.flush();
      line = in.readLine();
    } catch (IOException e) {
      throw new IOException("client shard, pid " + process.pid() + ", is gone: " + e.getMessage(), e);
    }
    if (line == null) {
      throw new IOException("client shard, pid " + process.pid() + ", ended during " + request.op());
    }
    ShardReply reply = JsonMapper.shared().readValue(line, ShardReply.class);
    if (reply.error() != null) {
      throw new IOException("client shard, pid " + process.pid() + ": " + reply.error());
    }
    return reply;
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
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      // It is gone already, or as good as; whoever drives the load has been told by an earlier call.
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
