package echoladder.openloop.command;

import static java.util.stream.Collectors.joining;

import echoladder.client.AsidePrinter;
import echoladder.client.LoadJudge;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.figures.Deliveries;
import echoladder.client.figures.Handshakes;
import echoladder.client.figures.Percentiles;
import echoladder.client.figures.SlowReaderFigures;
import echoladder.client.figures.Stamps;
import echoladder.openloop.result.FirstEcho;
import echoladder.openloop.result.OwnErrors;
import echoladder.openloop.run.LoadEvents;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A load as a person reads it: progress while it runs, figures at the end. */
final class LoadText implements LoadEvents {
  /** A terminal that takes nothing for so long is held. */
  private static final Duration FLUSH_BOUND = Duration.ofSeconds(2);

  private final AsidePrinter err;

  private final @Nullable LoadListener beside;

  /**
   * Tells a person, and another.
   *
   * @param beside null = nobody else
   */
  LoadText(PrintStream err, @Nullable LoadListener beside) {
    this.err = new AsidePrinter(err);
    this.beside = beside;
  }

  @Override
  public void phase(Phase phase, long monotonicNs) {
    if (beside != null) {
      beside.phase(phase, monotonicNs);
    }
    if (phase != Phase.HOLD) {
      err.print("load: " + name(phase) + System.lineSeparator());
    }
  }

  @Override
  public void progress(Progress p) {
    if (beside != null) {
      beside.progress(p);
    }
    if (p.phase() == Phase.HOLD) {
      return;
    }
    err.print(
        String.format(
            Locale.ROOT,
            "load: %-9s %,9d connections  %,7d failed  %,10.0f echoes/s%s%n",
            name(p.phase()),
            p.established(),
            p.failed(),
            p.achievedPerS(),
            p.phaseEndsInNs() < 0 ? "" : "  %.0f s left".formatted(p.phaseEndsInNs() / 1e9)));
  }

  @Override
  public void hold() {
    // Nobody measures anything here: close at once. The result is printed behind all that was said before it.
    err.flush(FLUSH_BOUND);
  }

  private static String name(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The result as a few aligned lines. */
  static String result(LoadResult r) {
    StringBuilder text = new StringBuilder();
    line(text, "connections", "%,d of %,d established, %,.0f/s, each with a verified echo"
        .formatted(r.connections().established(), r.connections().requested(), r.pace().connectsPerS()));
    if (r.connections().held() != null) {
      line(text, "", "%,d of them answered one more echo at the end".formatted(r.connections().held()));
    }
    Handshakes tls = r.crowd().tls();
    if (tls.handshakes() != null) {
      line(text, "TLS", "%,d handshakes, %,d of them resumed a session".formatted(tls.handshakes(), tls.resumed()));
    }
    line(text, "rate", "%,.0f/s achieved of %,.0f/s offered over %.1f s"
        .formatted(r.pace().achievedPerS(), r.pace().offeredPerS(), r.pace().steadySeconds()));
    line(text, "messages", "%,d intended, %,d answered, %,d unanswered, %,d failed, %,d wrong"
        .formatted(r.messages().scheduled(), r.messages().answered(), r.messages().unanswered(), r.messages().failed(),
            r.messages().echoMismatches()));
    text.append("%-15s %9s %9s %9s %9s %9s %9s%n".formatted("", "p50", "p90", "p99", "p99.9", "p99.99", "max"));
    times(text, "server time", r.times().server());
    times(text, "response time", r.times().response());
    times(text, "  send lateness", r.times().sendLateness());
    times(text, "  receive delay", r.times().receiveDelay());
    line(text, "", stamps(r.times().stamps()));
    times(text, "service time", r.times().service());
    times(text, "connect time", r.times().connect());
    Long bursts = r.crowd().bursts();
    if (bursts != null) {
      line(text, "bursts", "%,d, each from its instant: until the last was sent, and until the last was answered".formatted(bursts));
      times(text, "  sent", r.crowd().burstSend());
      times(text, "  answered", r.crowd().burstAnswer());
      times(text, "  behind", r.crowd().burstBacklog());
    }
    Deliveries deliveries = r.crowd().deliveries();
    if (deliveries.publishes() != null) {
      line(text, "pushed", "%,d messages published, %,d deliveries of %,d; times from the intended publish to the arrival at a subscriber"
          .formatted(deliveries.publishes(), deliveries.deliveriesDone(), deliveries.deliveriesDue()));
      times(text, "  first", deliveries.first());
      times(text, "  each", deliveries.time());
      times(text, "  last", deliveries.last());
    }
    SlowReaderFigures slow = r.crowd().slow();
    if (slow.slowReaders() != null) {
      line(text, "slow readers", "%,d connections read %,d B of %,d B due to them; the server ended %,d of them"
          .formatted(slow.slowReaders(), slow.slowReadersReadBytes(), slow.slowReadersOwedBytes(), slow.slowReadersEnded()));
      times(text, "  ended", slow.ended());
    }
    if (r.responseTimeLowerBoundBeyond() != null) {
      line(text, "", "response times beyond p%.3f are lower bounds: those messages were never answered"
          .formatted(r.responseTimeLowerBoundBeyond()));
    }
    line(text, "CPU per echo", "client %s, server %s".formatted(us(r.cost().clientCpuUsPerEcho()), us(r.cost().serverCpuUsPerEcho())));
    if (r.placement().spins()) {
      line(text, "", "the client polled its sockets: its CPU says nothing of an echo");
    }
    line(text, "processors", processors(r.placement()));
    line(text, "memory", "client %s, server %s".formatted(mib(r.cost().clientRssBytes()), mib(r.cost().serverRssBytes())));
    line(text, "verdict", verdict(r));
    return text.toString();
  }

  /**
   * What tells that there was nobody to load: no TCP connection was made at all. Null where one was, or where the load was stopped
   * before that could be told.
   */
  static @Nullable String nobodyThere(LoadPlan plan, LoadResult r) {
    boolean stopped = r.verdictReasons().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.INTERRUPTED);
    if (stopped || r.connections().established() > 0 || r.times().connect().maxNs() != null) {
      return null;
    }
    String targets = plan.targets().stream().map(Target::toString).collect(joining(", "));
    String errors = r.errors().entrySet().stream().map(e -> "%,d x %s".formatted(e.getValue(), e.getKey())).collect(joining(", "));
    List<String> hints = r.errors().keySet().stream().map(LoadText::why).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
    boolean own = r.verdictReasons().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.CLIENT_CALL_FAILED);
    return "no connection could be made to %s: %s%s; %s; see runbooks/symptoms/%s.md"
        .formatted(
            targets, errors, hints.isEmpty() ? "" : " (" + String.join("; ", hints) + ")",
            own ? "give source addresses of this host, or mend the way there" : "start the server, or name where it listens with --target",
            own ? ReasonCode.CLIENT_CALL_FAILED.id() : ReasonCode.CONNECTIONS_MISSING.id());
  }

  private static @Nullable String why(String error) {
    return switch (error) {
      case "connect ECONNREFUSED" -> "nothing listens there";
      case FirstEcho.NO_HANDSHAKE -> "nothing answered within the connect timeout: no host, a firewall, or a full accept queue";
      default -> OwnErrors.hint(error);
    };
  }

  /** What stands behind the server times, or why there are none. */
  private static String stamps(Stamps stamps) {
    Double share = stamps.stampedShare();
    if (share == null) {
      return "no server time: " + (stamps.equals(Stamps.NONE) ? "the kernel was not asked for stamps (--stamps off)" : "no answer");
    }
    return stamps.suffice()
        ? "server time is without the client's lateness and delay; response time, its upper bound, has them (%s of answers stamped)"
            .formatted(LoadJudge.percent(share))
        : "no server time: %s of answers have a usable stamp, at least %s are needed (docs/METHOD.md, \"Four times\")"
            .formatted(LoadJudge.percent(share), LoadJudge.percent(Stamps.SHARE_LEAST));
  }

  private static String verdict(LoadResult r) {
    return switch (r.verdict()) {
      case VALID -> "valid";
      case SATURATED -> "saturated: this load is not carried here";
      case INVALID -> "INVALID";
    };
  }

  private static String processors(LoadResult.Placement placement) {
    String client = placement.clientCpus() == null ? "unknown" : placement.clientCpus();
    return "client's loops %s, its other threads %s, server %s"
        .formatted(
            client,
            client.equals(placement.clientHelperCpus()) ? "there too" : placement.clientHelperCpus(),
            placement.serverCpus() == null ? "unknown" : placement.serverCpus());
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append("%-15s %s%n".formatted(name, value));
  }

  private static void times(StringBuilder text, String name, Percentiles p) {
    text.append(
        "%-15s %9s %9s %9s %9s %9s %9s%n"
            .formatted(
                name, time(p.p50Ns()), time(p.p90Ns()), time(p.p99Ns()), time(p.p999Ns()), time(p.p9999Ns()),
                time(p.maxNs())));
  }

  private static String time(@Nullable Long ns) {
    if (ns == null) {
      return "-";
    }
    return ns < 1_000_000
        ? "%.0f µs".formatted(ns / 1e3)
        : ns < 1_000_000_000 ? "%.2f ms".formatted(ns / 1e6) : "%.2f s".formatted(ns / 1e9);
  }

  private static String us(@Nullable Double us) {
    return us == null ? "unknown" : "%.1f µs".formatted(us);
  }

  private static String mib(@Nullable Long bytes) {
    return bytes == null ? "unknown" : "%.1f MiB RSS".formatted(bytes / 1048576.0);
  }
}
