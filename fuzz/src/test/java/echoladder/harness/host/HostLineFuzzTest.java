package echoladder.harness.host;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.client.Protocol;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.HostCpu;
import echoladder.harness.probe.ReadingRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;

/** A line between the process that runs a study and the control process of a host, in either direction. */
class HostLineFuzzTest {
  private static final List<Class<? extends Record>> BODIES =
      List.of(
          HostHello.class, HostReplies.Clock.class, HostReplies.Said.class, HostReplies.Stopped.class, HostReplies.Held.class,
          HostReplies.Doubted.class, HostReplies.Is.class, HostReplies.Depth.class, HostReplies.Seconds.class, HostReplies.Look.class,
          HostReplies.Collected.class, HostReplies.Check.class, HostReplies.SettingValues.class, HostReplies.Orders.class, HostReplies.Hashes.class,
          HostReplies.Shard.class, HostReplies.ShardText.class, ServerOrder.class, ServerUp.class, ReadingRecord.class);

  static Stream<Arguments> seeds() {
    return Stream.of(
            HostLine.question(1, HostOp.ECHO_CHECK, new HostReplies.Check(Protocol.TCP, "10.0.0.1", 9, null)),
            HostLine.question(2, HostOp.START_SERVER, new ServerOrder("netty", Map.of("a", "b"), null, "10.0.0.1", "0-1", 9, 1)),
            HostLine.answer(3, new HostReplies.Look(1, 2L, null, "", "0")),
            HostLine.answer(4, new HostReplies.Hashes(Map.of("netty", Map.of("netty.jar", "0a")))),
            HostLine.answer(5, new ReadingRecord(1, 2, Map.of(), Map.of(0, new HostCpu(3, 2, 1)), new TreeMap<>(Map.of(0.5, 1L)), Map.of(), "", "")),
            HostLine.answer(6, new HostReplies.Shard(1)),
            HostLine.failed(7, "no"))
        .flatMap(line -> Inputs.texts(line.text()));
  }

  @MethodSource("seeds")
  @FuzzTest
  void aLineIsReadOrRefused(byte[] input) {
    HostLine line;
    try {
      line = HostLine.parse(Inputs.text(input));
    } catch (IllegalArgumentException e) {
      Ends.said(e);
      return;
    }
    Ends.whole(line);
    for (Class<? extends Record> body : BODIES) {
      try {
        Record is = line.as(body);
        Ends.whole(is);
        if (is instanceof ReadingRecord reading) {
          reading.reading(0);
        }
      } catch (JacksonException | IllegalArgumentException e) {
        Ends.said(e);
      }
    }
  }
}
