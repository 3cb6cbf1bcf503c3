package echoladder.harness.study;

import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.client.schedule.Bursts;
import echoladder.harness.client.LoadTools;
import echoladder.harness.server.ServerManifest;
import org.jspecify.annotations.Nullable;

/** How connections that do not read must fit the rest of a study. With publish, {@link PublishChecks} says what else fits. */
final class SlowReaderChecks {
  private SlowReaderChecks() {}

  /** Why an entry cannot be loaded so; null where it can. */
  static @Nullable String ofServer(Study.Entry entry, StudyLoad load, ServerManifest manifest) {
    if (load.slowReaders() == null || load.publish() != null) {
      return null;
    }
    if (manifest.speaks() != Protocol.TCP) {
      return "'%s' speaks %s; connections that send on without reading (load.slow_readers) speak TCP alone"
          .formatted(manifest.name(), manifest.protocol());
    }
    return entry.client().equals(LoadTools.embedded().id())
        ? null
        : "the client '%s' has no connections that do not read; load.slow_readers needs %s"
            .formatted(entry.client(), LoadTools.embedded().id());
  }

  /** What of a load does not go with such connections; null where all does. */
  static @Nullable String ofLoad(Study study, StudyLoad load) {
    if (load.slowReaders() == null) {
      return null;
    }
    boolean pushed = load.publish() != null;
    if (!pushed && (load.churnPerS() != null || load.storm() != null)) {
      return "churn and storm are not allowed with slow_readers: a connection that takes the place of a slow one would read";
    }
    if (!pushed && load.schedule() != Schedule.CONSTANT && load.schedule() != Schedule.JITTERED && load.schedule() != Schedule.POISSON) {
      return "the schedule '%s' is not allowed with slow_readers: constant, jittered or poisson is".formatted(load.schedule().id());
    }
    int lowest = study.rungs().getFirst();
    return Bursts.senders(lowest, load.activeShare()) > 1
        ? null
        : "%,d connections come to one that %s; two at least have to, so that one is left that reads"
            .formatted(lowest, pushed ? "subscribes" : "sends");
  }
}
