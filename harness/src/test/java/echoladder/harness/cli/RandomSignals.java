package echoladder.harness.cli;

import echoladder.linux.process.ProcessTree;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Signals at random moments to random processes of a ladder: SIGKILL, or SIGSTOP with SIGCONT or SIGKILL behind it. */
final class RandomSignals implements AutoCloseable {
  private static final int KILLS = Integer.getInteger("kills", 20);
  private static final long SEED = Long.getLong("kills.seed", 20_260_101);
  private static final int LONGEST_STOP_MS = 1_500;
  private static final int LOOKS = 1_000;
  private static final int LOOK_MS = 20;

  private final String scene;
  private final int most;
  private final Random random;
  private final List<String> done = new ArrayList<>();
  private final Set<ProcessHandle> started = new LinkedHashSet<>();

  /**
   * Sends the signals of one scene, in a sequence of its own.
   *
   * @param percent of all signals that are its
   */
  RandomSignals(String scene, int percent) {
    this.scene = scene;
    this.most = Math.max(1, KILLS * percent / 100);
    this.random = new Random(SEED + scene.hashCode());
  }

  /** Whether there is one more to send. */
  boolean left() {
    return done.size() < most;
  }

  /** More ladders than so many signals can take. */
  int mostLadders() {
    return 20 + 2 * most;
  }

  /**
   * Waits for a random moment, and sends one there where the ladder still runs. Every other wait begins when the ladder has started
   * something, as on a busy host all of them would be over before.
   */
  void one(LadderProcess ladder, int latestMs) throws IOException, InterruptedException {
    ProcessHandle process = ProcessHandle.of(ladder.pid()).orElse(null);
    if (process == null) {
      return;
    }
    boolean withOthers = random.nextBoolean();
    for (int looks = 0; withOthers && looks < LOOKS && ladder.descendants().isEmpty(); looks++) {
      endsWithin(process, LOOK_MS);
    }
    if (!endsWithin(process, random.nextInt(latestMs))) {
      hit(ladder, process);
    }
  }

  private static boolean endsWithin(ProcessHandle process, long ms) {
    return process.onExit().completeOnTimeout(null, ms, TimeUnit.MILLISECONDS).join() != null;
  }

  private void hit(LadderProcess ladder, ProcessHandle harness) throws IOException, InterruptedException {
    List<ProcessHandle> all = new ArrayList<>(ladder.descendants());
    started.addAll(all);
    all.addFirst(harness);
    ProcessHandle victim = all.get(random.nextInt(all.size()));
    boolean stopped = random.nextInt(3) == 0;
    boolean continued = stopped && random.nextBoolean();
    String who = victim.pid() == ladder.pid() ? "harness" : program(CommandLines.of(victim));
    done.add("%s %s%s".formatted(stopped ? "STOP" : "KILL", who, stopped ? continued ? ", then CONT" : ", then KILL" : ""));
    System.err.printf("RandomKillsIT: %s, signal %d of %d, seed %d: %s%n", scene, done.size(), most, SEED, done.getLast());
    signal(victim, stopped ? "STOP" : "KILL");
    if (stopped) {
      endsWithin(victim, random.nextInt(LONGEST_STOP_MS));
      started.addAll(ladder.descendants());
      signal(victim, continued ? "CONT" : "KILL");
    }
    if (victim.pid() == ladder.pid() && !continued && ladder.status() != 137) {
      // It had ended by itself before the signal came, which hit nobody.
      done.removeLast();
    }
  }

  /** What it is, without what is the same of many. */
  private static String program(String commandLine) {
    if (commandLine.isEmpty()) {
      return "a process that has just ended";
    }
    String main =
        Stream.of(commandLine.split(" ", -1)).filter(word -> word.startsWith("echoladder.")).findFirst().orElse(commandLine);
    boolean control = main.endsWith(".Ladder") && commandLine.endsWith(" host");
    return control ? "control process of a host" : main.substring(0, Math.min(100, main.length()));
  }

  private static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
    // It may have ended meanwhile; its pid is not another's so soon.
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).redirectErrorStream(true).start().waitFor();
  }

  /** After the end of a ladder all that it had started ends, too. */
  void nothingIsLeft() {
    Awaitility.await("what it had started is gone: " + this)
        .atMost(Duration.ofMinutes(2))
        .until(() -> started.stream().noneMatch(ProcessTree::runs));
  }

  /** What was done so far, to what. */
  @Override
  public String toString() {
    return "seed " + SEED + ", " + scene + ": " + done;
  }

  @Override
  public void close() {
    long stops = done.stream().filter(signal -> signal.startsWith("STOP")).count();
    System.err.printf("RandomKillsIT: %s, seed %d: %d SIGKILL, %d SIGSTOP%n", scene, SEED, done.size() - stops, stops);
    started.stream().filter(ProcessTree::runs).forEach(ProcessHandle::destroyForcibly);
  }
}
