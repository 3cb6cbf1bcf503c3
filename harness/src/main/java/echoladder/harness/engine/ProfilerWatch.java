package echoladder.harness.engine;

import echoladder.client.Phase;
import echoladder.harness.plan.Rung;
import echoladder.harness.profile.Profiler;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import echoladder.harness.study.Profile;
import echoladder.linux.ErrorText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A profiler that watches the server of one extra repeat. It is there from when that server is ready until this is closed. */
final class ProfilerWatch implements AutoCloseable {
  private final Profile.Kind kind;
  private final RunContext context;
  private final Rung rung;
  private @Nullable Profiler profiler;
  private String problem = "the rung did not come to its steady state";

  /** Watches nobody yet. */
  ProfilerWatch(Profile.Kind kind, RunContext context, Rung rung) {
    this.kind = kind;
    this.context = context;
    this.rung = rung;
  }

  /** Watches the server of the rung; null where its process is not to be seen. */
  @Nullable RungObserver begin(RungObserver.Subject subject) {
    Long pid = subject.server().pid();
    if (pid == null) {
      return null;
    }
    try {
      Profiler made = new Profiler(kind, subject.stand().placed().client(), subject.stand().contender().symbols());
      profiler = made;
      return new RungObserver() {
        @Override
        public void leaving(Phase next) {
          made.leaving(next, pid);
        }

        @Override
        public void entered(Phase now, long monotonicNs) {
          made.entered(now, pid);
        }
      };
    } catch (IOException e) {
      problem = "there is no file for what perf writes: " + ErrorText.of(e);
      return null;
    }
  }

  /** What it saw of the rung, which is over. */
  ProfileRecord record(RungRecord record) {
    return profiler == null
        ? new ProfileRecord(kind, record, null, problem)
        : profiler.record(record, context.folder(), rung.key().stem(context.setup().study().repeats(), 1));
  }

  @Override
  public void close() {
    if (profiler != null) {
      profiler.close();
      profiler = null;
    }
  }
}
