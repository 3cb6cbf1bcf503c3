package echoladder.harness.metric;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every figure of a rung, in the order of run.json. */
public final class Catalogue {
  private static final List<Metric> PROBED =
      Stream.of(
              MemoryMetrics.all(), RuntimeMetrics.all(), HostMetrics.all(), StormMetrics.all(), NetworkMetrics.all(),
              PushMetrics.probed(), SlowReaderMetrics.probed())
          .flatMap(List::stream).toList();

  private static final List<Metric> OF_RUNG =
      Stream.of(RungMetrics.all(), LoadMetrics.all(), CrowdMetrics.all(), PushMetrics.ofLoad(), SlowReaderMetrics.ofLoad(), PROBED)
          .flatMap(List::stream).toList();

  private static final Map<String, Metric> BY_NAME =
      OF_RUNG.stream().collect(Collectors.toUnmodifiableMap(Metric::name, Function.identity()));

  private Catalogue() {}

  /** Those of the client and of the harness together. */
  public static List<Metric> ofRung() {
    return OF_RUNG;
  }

  /** Those that the harness measures beside the client. */
  public static List<Metric> probed() {
    return PROBED;
  }

  /** One of them; null where that is the name of something else. */
  static @Nullable Metric probed(String name) {
    Metric row = BY_NAME.get(name);
    return row != null && row.source() instanceof Source.Probed ? row : null;
  }

  /** A figure of a rung by its name. */
  public static Optional<Metric> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
