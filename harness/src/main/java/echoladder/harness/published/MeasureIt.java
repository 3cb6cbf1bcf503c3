package echoladder.harness.published;

import echoladder.harness.common.YamlSetting;
import echoladder.harness.study.Selection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run that measures what no published run has. It names the servers by {@code --set servers}, so that a study need not have them.
 *
 * @param study its name
 * @param selection what is set otherwise in it
 */
public record MeasureIt(String study, Selection selection) {
  /** A study climbs no further (docs/study.schema.json). */
  static final long MOST_CONNECTIONS = 5_000_000;

  /** A study offers no higher rate. */
  static final double MOST_PER_S = 10_000_000;

  /** No message of a study is larger. */
  public static final int MOST_MESSAGE_BYTES = 16 << 20;

  /** What both studies send, and so what most runs did. */
  public static final int MESSAGE_BYTES = 64;

  private static MeasureIt of(String study, int messageBytes, String... settings) {
    Stream<String> message = messageBytes == MESSAGE_BYTES ? Stream.of() : Stream.of("load.message=" + messageBytes + "B");
    List<YamlSetting> all = Stream.concat(Stream.of(settings), message).map(YamlSetting::parse).toList();
    return new MeasureIt(study, new Selection(null, List.of(), all));
  }

  /** The memory of a server; empty where no study goes so far. */
  static Optional<MeasureIt> memory(String server, SizeText.Wanted wanted) {
    return wanted.connections() > MOST_CONNECTIONS
        ? Optional.empty()
        : Optional.of(
            of("memory", wanted.messageBytes(), "servers=[%s]".formatted(server), "rungs=[%d]".formatted(wanted.connections())));
  }

  /**
   * The CPU of a server, beside the floor of its protocol, at the rate and at half of it: rates are measured in twos at least. Empty where
   * no study goes so far.
   */
  static Optional<MeasureIt> cpu(SizeText.Asked asked, SizeText.Wanted wanted, double ratePerS) {
    if (wanted.connections() > MOST_CONNECTIONS || ratePerS > MOST_PER_S) {
      return Optional.empty();
    }
    String floor = asked.floor();
    // Several rates are whole ones.
    long high = Math.max(2, (long) Math.ceil(ratePerS));
    return Optional.of(
        of(
            "load-surface", wanted.messageBytes(),
            "servers=[%s]".formatted(floor == null || floor.equals(asked.server()) ? asked.server() : floor + ", " + asked.server()),
            "rungs=[%d]".formatted(wanted.connections()),
            "load.rate.totals=[%d/s, %d/s]".formatted(high / 2, high)));
  }

  /** The command line. */
  String command() {
    return "./ladder run " + study + selection.asOptions();
  }
}
