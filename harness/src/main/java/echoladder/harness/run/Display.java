package echoladder.harness.run;

import echoladder.client.AsidePrinter;
import echoladder.client.Progress;
import echoladder.harness.common.Units;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows a person how far a run is: on a terminal one line that is rewritten, else one line per phase. For scripts it writes events. It
 * never waits for the terminal, because its callers also read the borders of the phases. Any thread.
 */
public final class Display {
  private static final Set<String> PLAIN_PHASES = Set.of("start server", "look at server", "ramp", "warm-up", "steady", "link cut");

  private static final String WAITING = "waiting";

  /** A terminal that takes nothing for so long is held. */
  private static final Duration FLUSH_BOUND = Duration.ofSeconds(2);

  private final AsidePrinter err;
  private final boolean terminal;
  private final boolean quiet;
  private final @Nullable RunEvents events;
  private int number;
  private int total;
  private Duration leftAfter = Duration.ZERO;
  private long rungStartNs;
  private String shown = "";
  private @Nullable String phase;
  private String now = "The first rung has not begun.";

  /** Writes to {@code err}; with {@code terminal} it rewrites its line. */
  public Display(PrintStream err, boolean terminal) {
    this(err, terminal, false, null);
  }

  Display(PrintStream err, boolean terminal, boolean quiet, @Nullable RunEvents events) {
    this.err = new AsidePrinter(err);
    this.terminal = terminal && !quiet;
    this.quiet = quiet;
    this.events = events;
  }

  /** On stderr, rewriting where that is a terminal that can. */
  public static Display onStderr() {
    return onStderr(false, null);
  }

  /**
   * On stderr and in a file.
   *
   * @param quiet whether only what stands in no result is said: what went wrong beside the rungs
   * @param events who is told of all phases; null = nobody
   */
  public static Display onStderr(boolean quiet, @Nullable RunEvents events) {
    return new Display(System.err, isTerminal(2) && !"dumb".equals(System.getenv("TERM")), quiet, events);
  }

  /** Whether a descriptor of this process is a terminal, by what /proc says it leads to. */
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }

  /** Rung {@code number} of {@code total} begins; after it that much is left to do. */
  public synchronized void rung(int number, int total, Duration leftAfter) {
    this.number = number;
    this.total = total;
    this.leftAfter = leftAfter;
    this.rungStartNs = System.nanoTime();
    this.phase = null;
  }

  /** A rung enters a phase. */
  public synchronized void step(Rung rung, String next) {
    boolean changed = !next.equals(phase);
    phase = next;
    String line = head(rung) + "  " + next;
    now = line + "  " + left(rung);
    if (changed && events != null) {
      events.phase(rung, number, next);
    }
    if (quiet) {
      return;
    }
    if (terminal) {
      rewrite(now);
    } else if (changed && PLAIN_PHASES.contains(next)) {
      stay(line);
    }
  }

  /** About once a second. */
  public synchronized void progress(Rung rung, Progress p) {
    now =
        "%s  %s  %,d connections%s  %,.0f echoes/s  %s"
            .formatted(
                head(rung),
                phase == null ? "" : phase,
                p.established(),
                p.failed() == 0 ? "" : "  %,d failed".formatted(p.failed()),
                p.achievedPerS(),
                left(rung));
    if (terminal) {
      rewrite(now);
    }
  }

  /** What the run does now, as one line: the rung that was begun last, where it stands, and how long all is likely to take. */
  public synchronized String now() {
    return now;
  }

  /** Before a rung; {@code left} is how long it is waited at most. Where lines stay, the first of a rung does. */
  public synchronized void waiting(Rung rung, String why, Duration left) {
    boolean begins = !WAITING.equals(phase);
    phase = WAITING;
    if (begins && events != null) {
      events.phase(rung, number, WAITING);
    }
    String line = "%s  %s; for %s more at most".formatted(head(rung), why, Units.clock(left));
    now = line;
    if (quiet) {
      return;
    }
    if (terminal) {
      rewrite(line);
    } else if (begins) {
      stay(line);
    }
  }

  /** The rung that was begun last is over: its result in a sentence. */
  public synchronized void over(RungRecord record, String sentence) {
    if (events != null) {
      events.over(record, number);
    }
    if (!quiet) {
      note(sentence);
    }
  }

  /** A line that stays. */
  public synchronized void note(String text) {
    rewrite("");
    stay(text);
  }

  /** Leaves the line empty, and waits shortly until all is printed. */
  public void end() {
    synchronized (this) {
      rewrite("");
    }
    err.flush(FLUSH_BOUND);
  }

  private void stay(String text) {
    err.print("ladder: " + text + System.lineSeparator());
  }

  private String head(Rung rung) {
    return "%d/%d  %s  %s%s".formatted(number, total, rung.label(), rung.key().load(), rung.key().driftCheck() ? " again" : "")
        + profile(rung);
  }

  private static String profile(Rung rung) {
    return rung.profile() == null ? "" : ", profile " + rung.profile().id();
  }

  private String left(Rung rung) {
    long inRung = System.nanoTime() - rungStartNs;
    Duration rest = Duration.ofNanos(Math.max(0, rung.likely().toNanos() - inRung)).plus(leftAfter);
    return Units.clock(rest) + " left";
  }

  private void rewrite(String line) {
    if (terminal && !line.equals(shown)) {
      // Carriage return and "erase to the end of the line": movement, not colour, so NO_COLOR does not concern it.
      err.print("\r\033[K" + (line.isEmpty() ? "" : "ladder: " + line));
      shown = line;
    }
  }
}
