package echoladder.wrk2;

import echoladder.client.Phase;
import echoladder.external.Stages;
import echoladder.external.ToolProcess;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows wrk2 through its phases by the clock, as it says nothing before its end: its ramp and its calibration
 * take what its source says they take. {@link #stop} may be called by any thread, the rest belongs to one.
 */
final class Wrk2Run {
  private final Wrk2Command command;
  private final Stages stages;
  /** Down when the tool has ended or shall. */
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean stopped;

  Wrk2Run(Wrk2Command command, Stages stages) {
    this.command = command;
    this.stages = stages;
  }

  /** Ends the load. */
  void stop() {
    stopped = true;
    over.countDown();
  }

  boolean stopped() {
    return stopped;
  }

  /** Goes through all phases; returns when the steady state is over, the tool has ended, or it was stopped. */
  void follow(List<ToolProcess> tools) {
    // They were asked for the same, so the first that ends before its time spoils the load of all.
    for (ToolProcess tool : tools) {
      var _ = tool.onExit().thenRun(over::countDown);
    }
    long startNs = System.nanoTime();
    stages.ramp(tools.stream().map(ToolProcess::pid).toList());
    long rampEndsNs = startNs + ns(command.rampSeconds() + Wrk2Command.SLACK_SECONDS);
    long steadyBeginsNs = startNs + ns(command.calibrationSeconds() + Wrk2Command.SLACK_SECONDS);
    boolean on = until(rampEndsNs);
    if (on) {
      stages.warmUp(steadyBeginsNs);
      on = until(steadyBeginsNs);
    }
    if (on) {
      long lengthNs = ns(command.steadySeconds());
      stages.steady(lengthNs);
      on = until(System.nanoTime() + lengthNs);
    }
    if (on) {
      stages.drain();
    } else {
      stages.cutShort();
    }
  }

  /** Whether the steady state went to its end. */
  boolean complete() {
    return stages.phase() == Phase.DRAIN;
  }

  /** Waits for a moment; false where the load was over before. */
  private boolean until(long momentNs) {
    while (true) {
      // Of requests it says nothing while it runs.
      stages.progress(0, 0);
      long now = System.nanoTime();
      if (now >= momentNs) {
        return true;
      }
      try {
        if (over.await(Math.min(momentNs, stages.nextProgressNs()) - now, TimeUnit.NANOSECONDS)) {
          return false;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stop();
        return false;
      }
    }
  }

  private static long ns(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
