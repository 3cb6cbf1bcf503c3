package echoladder.openloop.shard;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** What a client process answers, on this host or by way of another one. */
class ShardReplyFuzzTest {
  private static final LoadPlan PLAN = LoadPlan.builder(new Target("127.0.0.1", 9), 10, 100, Duration.ofSeconds(1)).build();

  /** Answers the first question, which opens the shard, and then as told. */
  private static final class Saying implements ShardLine {
    private final String answer;
    private boolean opened;

    Saying(String answer) {
      this.answer = answer;
    }

    @Override
    public String name() {
      return "client shard, pid 17";
    }

    @Override
    public String ask(String request) {
      boolean first = !opened;
      opened = true;
      return first ? "{}" : answer;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  static Stream<Arguments> seeds() {
    Histogram histogram = new Histogram(1, 1_000_000, 3);
    histogram.recordValue(1_000);
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    byte[] encoded = Arrays.copyOf(buffer.array(), histogram.encodeIntoCompressedByteBuffer(buffer));
    ShardStatus status =
        new ShardStatus(
            Collections.nCopies(Counters.Of.COUNT, 1L), 10, true, List.of("why"), new TreeMap<>(Map.of("read EPIPE", 3L)), 1, 2, 3, 4, 5, true, "0-1", "0");
    return Stream.of(new ShardReply(null, status, null), new ShardReply(null, null, Map.of(TimeKind.values()[0], encoded)), new ShardReply("no", null, null))
        .flatMap(reply -> Inputs.texts(JsonMapper.shared().writeValueAsString(reply)));
  }

  @MethodSource("seeds")
  @FuzzTest
  void anAnswerIsTakenOrRefused(byte[] input) throws IOException {
    RemoteShard shard = RemoteShard.open(new Saying(Inputs.text(input)), PLAN, 0, 1, 1);
    try {
      ShardStatus status = shard.status();
      Ends.whole(status);
      ShardStatus.sum(List.of(status, status)).rampDone();
    } catch (IOException e) {
      Ends.said(e);
    }
    try {
      shard.addIntervalTo(new EnumMap<>(TimeKind.class));
    } catch (IOException e) {
      Ends.said(e);
    }
  }
}
