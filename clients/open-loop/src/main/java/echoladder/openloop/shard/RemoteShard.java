package echoladder.openloop.shard;

import echoladder.client.Holes;
import echoladder.client.LoadPlan;
import echoladder.openloop.result.EncodedHistogram;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A shard in another process, asked by JSON lines that {@link ShardLine} carries; times are told in its own clock. */
public final class RemoteShard implements Shard {
  private final ShardLine line;

  private RemoteShard(ShardLine line) {
    this.line = line;
  }

  /** In a child process of this one. */
  static RemoteShard start(LoadPlan plan, int index, int shards, int loops) throws IOException {
    return open(ShardProcess.start(), plan, index, shards, loops);
  }

  /** Wherever that line leads; it is closed where the shard cannot be opened. */
  public static RemoteShard open(ShardLine line, LoadPlan plan, int index, int shards, int loops) throws IOException {
    RemoteShard shard = new RemoteShard(line);
    try {
      shard.ask(new ShardRequest(ShardRequest.Op.OPEN, plan, index, shards, loops, 0, 0));
    } catch (IOException e) {
      line.close();
      throw e;
    }
    return shard;
  }

  private ShardReply ask(ShardRequest request) throws IOException {
    String text = line.ask(JsonMapper.shared().writeValueAsString(request));
    @Nullable ShardReply reply;
    try {
      reply = JsonMapper.shared().readValue(text, ShardReply.class);
    } catch (JacksonException e) {
      throw new IOException(line.name() + ", gave something else than a reply: " + e.getOriginalMessage(), e);
    }
    String hole = reply == null ? "all of it" : Holes.first(reply);
    if (reply == null || hole != null) {
      throw new IOException(line.name() + ", gave a reply that lacks " + hole);
    }
    if (reply.error() != null) {
      throw new IOException(line.name() + ": " + reply.error());
    }
    return reply;
  }

  private ShardRequest at(ShardRequest.Op op, long startNs, long endNs) {
    return ShardRequest.at(op, startNs + line.clockAheadNs(), endNs + line.clockAheadNs());
  }

  @Override
  public void ramp(long startNs) throws IOException {
    ask(at(ShardRequest.Op.RAMP, startNs, 0));
  }

  @Override
  public void schedule(long startNs) throws IOException {
    ask(at(ShardRequest.Op.SCHEDULE, startNs, 0));
  }

  @Override
  public void steady(long startNs, long endNs) throws IOException {
    ask(at(ShardRequest.Op.STEADY, startNs, endNs));
  }

  @Override
  public void finish() throws IOException {
    ask(ShardRequest.of(ShardRequest.Op.FINISH));
  }

  @Override
  public void storm(long startNs) throws IOException {
    ask(at(ShardRequest.Op.STORM, startNs, 0));
  }

  @Override
  public void rollCall(long startNs) throws IOException {
    ask(at(ShardRequest.Op.ROLL_CALL, startNs, 0));
  }

  @Override
  public ShardStatus status() throws IOException {
    ShardStatus status = ask(ShardRequest.of(ShardRequest.Op.STATUS)).status();
    if (status == null) {
      throw new IOException(line.name() + ", answered STATUS without one");
    }
    try {
      return status.checked();
    } catch (IllegalArgumentException e) {
      throw new IOException(line.name() + ", gave a status that is none: " + e.getMessage(), e);
    }
  }

  @Override
  public void addIntervalTo(Map<TimeKind, Histogram> into) throws IOException {
    Map<TimeKind, byte[]> histograms = ask(ShardRequest.of(ShardRequest.Op.INTERVAL)).histograms();
    if (histograms == null) {
      throw new IOException(line.name() + ", answered INTERVAL without histograms");
    }
    for (var entry : histograms.entrySet()) {
      try {
        EncodedHistogram.add(entry.getValue(), into.computeIfAbsent(entry.getKey(), k -> Recorders.emptyHistogram()));
      } catch (IllegalArgumentException e) {
        throw new IOException(line.name() + ", gave a broken interval: " + e.getMessage(), e);
      }
    }
  }

  /** Asks it to close, and ends it by force where it has not gone after a minute. */
  @Override
  public void close() {
    try {
      ask(ShardRequest.of(ShardRequest.Op.CLOSE));
    } catch (IOException e) {
      // It is gone already, or as good as; whoever drives the load has been told by an earlier call.
    } finally {
      line.close();
    }
  }
}
