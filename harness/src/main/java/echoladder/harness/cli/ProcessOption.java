package echoladder.harness.cli;

import echoladder.harness.cli.run.UntilSignal;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.incident.LookReader;
import echoladder.harness.incident.ProcessExamination;
import echoladder.harness.incident.ProcessText;
import echoladder.harness.incident.WatchLines;
import echoladder.harness.run.StopSignal;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A process that runs, for the doctor to look at once or again and again. */
final class ProcessOption {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final int MOST_LOOKS = 1_000_000;

  /** More than a look takes. */
  private static final int STOP_SECONDS = 30;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "Look at a process that runs, in any language: what it uses of its limits, and which one stops it first, at how many "
          + "connections; with --connections, whether it can come to N. Whose process it is not needs root.")
  private @Nullable Long pid;

  @Option(
      names = "--watch",
      paramLabel = "TIME",
      description = "With --pid, look again every TIME (100ms to 1h) until Ctrl-C: a line per look; with --json an object per line.")
  private @Nullable String watch;

  private ProcessOption() {}

  static ProcessOption none() {
    return new ProcessOption();
  }

  boolean asked() {
    if (watch != null && pid == null) {
      throw Refusal.badUsage("--watch goes with --pid PID");
    }
    return pid != null;
  }

  /**
   * Looks and prints; the exit status.
   *
   * @param connections that it shall come to; null = none were named
   */
  int look(@Nullable Long connections, boolean json, boolean explain) throws InterruptedException {
    long of = pid == null ? 0 : pid;
    if (of < 1 || of > Integer.MAX_VALUE) {
      throw Refusal.badUsage("--pid %d is no process id; 'pgrep -a NAME' lists them".formatted(of));
    }
    LookReader reader = new LookReader(of);
    return watch == null ? once(reader, connections, json, explain) : again(reader, connections, json, interval(watch));
  }

  private static Duration interval(String text) {
    try {
      Duration interval = Quantity.duration(text);
      if (interval.compareTo(SHORTEST) >= 0 && interval.compareTo(LONGEST) <= 0) {
        return interval;
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--watch: " + e.getMessage());
    }
    throw Refusal.badUsage("--watch " + text + " is outside of 100ms to 1h");
  }

  private static int status(ProcessExamination found) {
    return found.reach() == ProcessExamination.Reach.IN_REACH ? 0 : 1;
  }

  private static int once(LookReader reader, @Nullable Long connections, boolean json, boolean explain) throws InterruptedException {
    ProcessExamination found = ProcessExamination.of(reader.look(), connections);
    if (json) {
      System.out.println(JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(found));
    } else {
      ProcessText.lines(found, explain).forEach(System.out::println);
    }
    System.out.flush();
    return status(found);
  }

  private static int again(LookReader reader, @Nullable Long connections, boolean json, Duration interval) throws InterruptedException {
    StopSignal stop = new StopSignal();
    CountDownLatch stopped = new CountDownLatch(1);
    WatchLines lines = new WatchLines();
    int status = 0;
    try (StopSignal.Registration _ = stop.onStop(stopped::countDown);
        UntilSignal until = UntilSignal.stopping(stop, "the watch is over", STOP_SECONDS)) {
      for (int looks = 0; looks < MOST_LOOKS && !stop.requested() && !System.out.checkError(); looks++) {
        long beganNs = System.nanoTime();
        ProcessExamination found = ProcessExamination.of(reader.look(), connections);
        System.out.println(
            json
                ? JsonMapper.shared().writeValueAsString(found)
                : lines.next(LocalTime.now(ZoneId.systemDefault()).format(CLOCK), found));
        status = status(found);
        until.status(status);
        // A look at many sockets takes long: no more than half of the time is spent with looking.
        long tookNs = System.nanoTime() - beganNs;
        if (stopped.await(Math.max(interval.toNanos() - tookNs, tookNs), TimeUnit.NANOSECONDS)) {
          break;
        }
      }
    }
    return status;
  }
}
