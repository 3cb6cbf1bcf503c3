package echoladder.openloop.command;

import echoladder.client.Target;
import echoladder.openloop.command.IdleProbe.Ending;
import echoladder.openloop.command.IdleProbe.Fate;
import echoladder.openloop.command.IdleProbe.Found;
import echoladder.openloop.connection.TargetPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code load --idle-probe}: what runs in place of a load. */
final class IdleProbeOption {
  @Option(
      names = "--idle-probe",
      paramLabel = "TIMES",
      arity = "0..1",
      fallbackValue = IdleProbe.USUAL,
      description = "In place of a load: one TCP connection for each of these idle times, e.g. 10s,30s,70s. Each gets an echo, is silent"
          + " for its time, and is asked for another; says which survived. Without times: ${FALLBACK-VALUE}.")
  private @Nullable String times;

  boolean given() {
    return times != null;
  }

  /** The probe; what is wrong with the options is an {@link IllegalArgumentException}. */
  IdleProbe probe(List<Target> targets, List<String> allowed, Duration wait) {
    if (targets.size() != 1) {
      throw new IllegalArgumentException("--idle-probe needs one --target HOST:PORT");
    }
    String refusal = TargetPolicy.refusal(targets.getFirst(), allowed);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    List<Duration> idle = Stream.of(String.valueOf(times).split(",", -1)).map(time -> LoadOptions.time("--idle-probe", time)).toList();
    return new IdleProbe(targets.getFirst(), idle, wait);
  }

  /** Runs it and prints what was found; gives the exit status: 0 all survived, 1 some did not, 3 nobody answers there. */
  static int run(IdleProbe probe, boolean json, PrintStream out, PrintStream err) {
    try {
      err.printf(
          "load: %d connections to %s, silent for up to %s s%n",
          probe.idle().size(), probe.target(), IdleProbe.seconds(probe.idle().getLast().toNanos() / 1e9));
      Found found = probe.run(fate -> err.println("load: " + line(fate)));
      if (json) {
        out.println(JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(found));
      } else {
        found.connections().forEach(fate -> out.println(line(fate)));
        out.println(found.answer());
      }
      out.flush();
      return !found.reached() ? 3 : found.diedS() == null ? 0 : 1;
    } catch (IOException e) {
      err.println("load: cannot probe " + probe.target() + ": " + e.getMessage());
      return 3;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 3;
    }
  }

  private static String line(Fate fate) {
    String when = fate.ending() == Ending.SURVIVED || fate.ending() == Ending.NEVER_ALIVE ? "" : " after %.1f s".formatted(fate.afterS());
    return "idle for %s s: %s%s%s"
        .formatted(IdleProbe.seconds(fate.idleS()), fate.ending().words(), when, fate.detail() == null ? "" : " (" + fate.detail() + ")");
  }
}
