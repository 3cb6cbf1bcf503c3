package echoladder.harness.soak;

import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.linux.process.ProcessTree;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the kernel tells of a process, and of its sockets. */
final class KernelSample {
  private final ProcessTree process;
  private final Readings readings;

  KernelSample(long pid) {
    this.process = new ProcessTree(pid);
    this.readings = new LocalReadings(new Subject(pid, null, List::of));
  }

  /** A sample of now, with what the runtime tells: the live heap and the direct memory in bytes, null = it does not tell. */
  SoakSample with(double seconds, @Nullable Long liveHeapBytes, @Nullable Long directBytes) {
    Reading reading = readings.take(Readings.Depth.BORDER);
    return new SoakSample(
        seconds, process.descriptors(), value(reading, Figure.SERVER_THREADS), value(reading, Figure.SERVER_RSS_BYTES), liveHeapBytes,
        directBytes, value(reading, Figure.SOCKET_SLAB_BYTES));
  }

  private static @Nullable Long value(Reading reading, Figure figure) {
    OptionalLong value = reading.get(figure);
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
