package echoladder.openloop.shard;

import echoladder.linux.ErrorText;
import echoladder.linux.output.TerminalStream;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.result.TimeKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A child process that holds a shard. It ends with its stdin, so it never outlives the process that started it. */
final class ShardMain {
  private @Nullable LocalShard shard;

  private ShardMain() {}

  public static void main(String[] args) throws IOException {
    System.setErr(TerminalStream.before(System.err));
    CountDownLatch served = new CountDownLatch(1);
    // Ctrl-C on a terminal reaches every process of the load; the one that runs it decides when the others end.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    served.await(20, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    try {
      new ShardMain().serve();
    } finally {
      served.countDown();
    }
  }

  private void serve() throws IOException {
    PrintStream out = System.out;
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    while ((line = in.readLine()) != null) {
      ShardRequest request = JsonMapper.shared().readValue(line, ShardRequest.class);
      ShardReply reply;
      try {
        reply = answer(request);
      } catch (PlanNotPossible | IOException | RuntimeException e) {
        reply = new ShardReply(ErrorText.of(e), null, null);
      }
      out.println(JsonMapper.shared().writeValueAsString(reply));
      out.flush();
      if (request.op() == ShardRequest.Op.CLOSE) {
        return;
      }
    }
    if (shard != null) {
      shard.close();
    }
  }

  private ShardReply answer(ShardRequest request) throws IOException, PlanNotPossible {
    if (request.op() == ShardRequest.Op.OPEN) {
      var plan = Objects.requireNonNull(request.plan(), "OPEN carries a plan");
      Addresses addresses = Addresses.of(plan, EphemeralPorts.read());
      JitWarmUp.run(plan);
      shard = new LocalShard(plan, addresses, request.index(), request.shards(), request.loops());
      return ShardReply.done();
    }
    LocalShard open = Objects.requireNonNull(shard, "OPEN comes first");
    switch (request.op()) {
      case RAMP -> open.ramp(request.startNs());
      case SCHEDULE -> open.schedule(request.startNs());
      case STEADY -> open.steady(request.startNs(), request.endNs());
      case FINISH -> open.finish();
      case STORM -> open.storm(request.startNs());
      case ROLL_CALL -> open.rollCall(request.startNs());
      case CLOSE -> open.close();
      case STATUS -> {
        return new ShardReply(null, open.status(), null);
      }
      case INTERVAL -> {
        return new ShardReply(null, null, encode(open));
      }
      case OPEN -> throw new IllegalStateException("handled above");
    }
    return ShardReply.done();
  }

  private static Map<TimeKind, byte[]> encode(LocalShard shard) {
    EnumMap<TimeKind, Histogram> intervals = new EnumMap<>(TimeKind.class);
    shard.addIntervalTo(intervals);
    EnumMap<TimeKind, byte[]> encoded = new EnumMap<>(TimeKind.class);
    intervals.forEach(
        (kind, histogram) -> {
          ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
          int bytes = histogram.encodeIntoCompressedByteBuffer(buffer);
          encoded.put(kind, Arrays.copyOf(buffer.array(), bytes));
        });
    return encoded;
  }
}
